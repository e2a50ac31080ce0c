import GlissDevices
import Testing

@Suite struct DeviceClassTests {
  @Test func everyClassHasAWord() {
    let words = DeviceClasses.names.map(\.name)
    #expect(Set(words).count == DeviceClasses.names.count)
    for (classes, name) in DeviceClasses.names {
      #expect(classes.rawValue.nonzeroBitCount == 1, "\(name)")
    }
  }
}
