import Testing

@testable import GlissDevices

/// What libinput says of losses, which it says in its log alone.
@Suite struct LibinputLossTests {
  @Test(
    arguments: [
      (
        "event12 - AT Keyboard: SYN_DROPPED event - some input events have been lost.\n", "event12"
      ),
      ("event3  - : SYN_DROPPED event - some input events have been lost.\n", "event3"),
      ("event3  - AT Keyboard: is tagged by udev as: Keyboard\n", nil),
      ("SYN_DROPPED event\n", nil), ("", nil),
    ] as [(String, String?)])
  func theNodeOfALossIsReadFromTheMessage(_ message: String, _ node: String?) {
    #expect(LibinputQueue.nodeWithLoss(in: message) == node)
  }
}

@Suite struct DeviceClassTests {
  @Test func everyClassHasAWord() {
    let words = DeviceClasses.names.map(\.name)
    #expect(Set(words).count == DeviceClasses.names.count)
    for (classes, name) in DeviceClasses.names {
      #expect(classes.rawValue.nonzeroBitCount == 1, "\(name)")
    }
  }
}
