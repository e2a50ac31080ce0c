import GlissConfiguration
import GlissImport
import TestSupport
import Testing

/// libinput makes gestures of touchpads only, so that rules made for it are for these, or for the device that was named.
@Suite struct ImportedDeviceTests {
  private static let touchpads = DeviceMatch(kind: .touchpad)

  @Test(
    arguments: [
      ("", touchpads, []),
      ("device all\n", touchpads, []),
      ("device Foo\n", DeviceMatch(name: "Foo"), []),
      // the first counts
      ("device all\ndevice Foo\n", touchpads, ["2: device Foo"]),
      ("device Foo\ndevice all\n", DeviceMatch(name: "Foo"), ["2: device all"]),
      (
        "device /dev/input/by-id/x\ndevice Foo\n", touchpads,
        ["1: device /dev/input/by-id/x", "2: device Foo"]
      ),
      ("device\ndevice Foo\n", DeviceMatch(name: "Foo"), ["1: device"]),
      // quotes belong to the name
      ("device \"Foo\"\n", DeviceMatch(name: "\"Foo\""), ["1: device \"Foo\""]),
    ] as [(String, DeviceMatch, [String])])
  func ofLibinputGestures(_ lines: String, _ device: DeviceMatch, _ told: [String]) throws {
    let text = lines + "gesture swipe left 3 true\ngesture pinch in true\n"
    let imported = try ImportedTool.libinputGestures.imported(text)
    #expect(imported.rules.map(\.device) == [device, device])
    #expect(imported.remarks.map { "\($0.place.line): \($0.what)" } == told)
    #expect(imported.forgotten(in: text) == [])
    #expect(Configuration.rules(of: imported.text) == imported.rules.map(\.withoutPlaces))
  }

  private static func keeping(_ names: String, _ more: String = "") -> String {
    "plugin:\n  filters:\n    libinput_device_filter:\n      keep_device_names: \(names)\n\(more)"
  }

  @Test(
    arguments: [
      ("", touchpads, []),
      (
        keeping("\n        - SYNA32A2:00 06CB:CE17 Touchpad"),
        named("SYNA32A2:00 06CB:CE17 Touchpad"), []
      ),
      (keeping("Inc. Pad"), named("Inc. Pad"), []),
      (keeping("[A, B]"), touchpads, ["plugin"]),
      (keeping("'A|B'"), touchpads, ["plugin"]),
      (keeping("Pad", "  inputs: {x: {enable-tap: true}}\n"), named("Pad"), ["plugin"]),
      (keeping(""), touchpads, ["plugin"]),
      ("plugin: {inputs: {x: {y: true}}}\n", touchpads, ["plugin"]),
    ] as [(String, DeviceMatch, [String])])
  func ofFusuma(_ plugin: String, _ device: DeviceMatch, _ told: [String]) throws {
    let text = plugin + "swipe:\n  3:\n    left: {command: a}\ntap:\n  3: {command: b}\n"
    let imported = try ImportedTool.fusuma.imported(text)
    #expect(imported.rules.map(\.device) == [device, device])
    #expect(imported.remarks.map(\.what) == told)
    #expect(imported.forgotten(in: text) == [])
    #expect(Configuration.rules(of: imported.text) == imported.rules.map(\.withoutPlaces))
  }

  private static func named(_ name: String) -> DeviceMatch {
    DeviceMatch(name: "*\(name)*", kind: .touchpad)
  }

  /// Ours begins 420 ms later than libinput's, and counts from then on.
  @Test(arguments: [
    ("on+0.4", nil), ("on+0.421", 1), ("on+1.0004", 580), ("on+0", nil), ("on", nil),
  ])
  func aHoldHasWholeMilliseconds(_ motion: String, _ duration: Double?) throws {
    let imported = try ImportedTool.libinputGestures.imported("gesture hold \(motion) 3 true\n")
    guard case .gesture(let condition)? = imported.rules.first?.trigger else {
      Issue.record("\(imported.text)")
      return
    }
    #expect(condition.duration?.minimum == duration)
    #expect(imported.remarks.isEmpty)
  }

  /// Of thresholds the last one counts.
  @Test(
    arguments: [
      (
        "swipe_threshold 100\nswipe_threshold 0\n", nil, ["swipe_threshold"]
      ),
      (
        "swipe_threshold 0\nswipe_threshold 100\n", 2.5,
        ["swipe_threshold"]
      ),
      ("swipe_threshold 50\nswipe_threshold x\n", 1.3, ["swipe_threshold x"]),
    ] as [(String, Double?, [String])])
  func theLastThresholdCounts(_ lines: String, _ travel: Double?, _ told: [String]) throws {
    let imported = try ImportedTool.libinputGestures.imported(lines + "gesture swipe left 3 true\n")
    guard case .gesture(let condition)? = imported.rules.first?.trigger else {
      Issue.record("\(imported.text)")
      return
    }
    #expect(condition.travel?.minimum == travel)
    #expect(imported.remarks.map(\.what) == told)
  }

  /// Python and YAML read two lines there.
  @Test(
    arguments: [
      (ImportedTool.libinputGestures, "gesture swipe left 3 a\rgesture swipe right 3 b\r", [1, 2]),
      (.libinputGestures, "gesture swipe left 3 a\r\n\rgesture swipe right 3 b", [1, 3]),
      (.fusuma, "swipe:\r  3:\r    left:\r      command: a\r    up:\r      command: b\r", [4, 6]),
    ])
  func aReturnEndsALine(_ tool: ImportedTool, _ text: String, _ lines: [Int]) throws {
    let imported = try tool.imported(text)
    #expect(imported.parts.map { $0.sources.last?.number } == lines, "\(imported.text)")
  }

  @Test(arguments: [
    "_internal --cols 4 -w ws_left_up", "_internal ws_nope", "_drag 300", "_drag ws_up",
  ])
  func settingsOfTheToolItselfAreLost(_ command: String) throws {
    let imported = try ImportedTool.libinputGestures.imported("gesture swipe up 3 \(command)\n")
    #expect(imported.parts.isEmpty)
    #expect(imported.remarks.map { "\($0.place.column) \($0.what)" } == ["20 \(command)"])
    #expect(
      imported.remarks.allSatisfy { $0.isLost && $0.why.contains("libinput-gestures itself") })
  }
}
