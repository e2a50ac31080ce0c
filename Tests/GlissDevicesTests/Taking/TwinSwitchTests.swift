import Foundation
import GlissDevices
import GlissEvents
import Testing

/// Root's decision that touchpads have twins.
@Suite struct TwinSwitchTests {
  private static func place() -> (TwinSwitch, URL) {
    let root = FileManager.default.temporaryDirectory.appending(path: "twin-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    return (TwinSwitch(folder: root.appending(path: "gliss").path), root)
  }

  @Test func itIsTurnedOnAndLeavesNothing() throws {
    let (twin, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    #expect(!twin.isOn)
    #expect(try !twin.turnOff())
    try twin.turnOn()
    try twin.turnOn()
    #expect(twin.isOn)
    #expect(try twin.turnOff())
    #expect(!twin.isOn)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).isEmpty)
  }

  @Test func restingContactsAreHiddenOnRequest() throws {
    let (twin, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    #expect(!twin.hidesResting)
    try twin.turnOn(hidesResting: true)
    #expect(twin.isOn && twin.hidesResting)
    try twin.turnOn()
    #expect(twin.isOn && !twin.hidesResting)
    try Data("# resting\nresting palms\n\nresting".utf8).write(to: URL(filePath: twin.path))
    #expect(twin.hidesResting, "the last line may lack its end")
    chmod(twin.path, 0o666)
    #expect(!twin.hidesResting)
  }

  @Test func otherFilesOfTheFolderStay() throws {
    let (twin, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    try twin.turnOn()
    let other = twin.folder + "/gliss.yaml"
    try Data().write(to: URL(filePath: other))
    #expect(try twin.turnOff())
    #expect(FileManager.default.fileExists(atPath: other))
  }

  /// Whoever may write it would choose for root.
  @Test func onlyAFileThatNobodyElseWritesCounts() throws {
    let (twin, root) = Self.place()
    defer { try? FileManager.default.removeItem(at: root) }
    try twin.turnOn()
    for mode in [0o664, 0o646] {
      chmod(twin.path, mode_t(mode))
      #expect(!twin.isOn)
    }
    try twin.turnOn()
    #expect(twin.isOn)
    let link = twin.folder + "/other"
    try FileManager.default.moveItem(atPath: twin.path, toPath: link)
    try FileManager.default.createSymbolicLink(atPath: twin.path, withDestinationPath: link)
    #expect(!twin.isOn)
  }

  @Test func oneWayIsInForceAtATime() throws {
    final class Way: StrokeTaking {
      var taken: [[Int]] = []
      var verdicts = 0
      func take(_ now: FingerCounts, of ever: FingerCounts) { taken.append(now.counts) }
      func decide(_ verdict: StrokeVerdict) { verdicts += 1 }
    }
    let (control, twins) = (Way(), Way())
    let choice = StrokeChoice(control: control, twins: twins)
    try choice.take(FingerCounts([3]), of: FingerCounts([3, 4]))
    choice.decide(StrokeVerdict(time: .zero, isKept: true))
    #expect(control.taken == [[3]] && control.verdicts == 1 && twins.taken == [])
    try choice.choose(twins: true)
    choice.decide(StrokeVerdict(time: .zero, isKept: true))
    #expect(control.taken == [[3], []] && twins.taken == [[3]] && twins.verdicts == 1)
    try choice.choose(twins: false)
    #expect(control.taken == [[3], [], [3]] && twins.taken == [[3], []])
  }

  @Test func theOtherWayBeginsOnlyOnceTheFirstHasEnded() throws {
    final class Way: StrokeTaking {
      var taken: [[Int]] = []
      var isStuck = false
      func take(_ now: FingerCounts, of ever: FingerCounts) throws(SystemError) {
        if isStuck, ever.isEmpty { throw SystemError("uinput", "is stuck") }
        taken.append(now.counts)
      }
      func decide(_ verdict: StrokeVerdict) {}
    }
    let (control, twins) = (Way(), Way())
    let choice = StrokeChoice(control: control, twins: twins)
    let three = FingerCounts([3])
    try choice.take(three, of: three)
    control.isStuck = true
    #expect(throws: SystemError.self) { try choice.choose(twins: true) }
    try choice.take(three, of: three)
    #expect(control.taken == [[3], [3]] && twins.taken == [])
    control.isStuck = false
    try choice.choose(twins: true)
    #expect(control.taken == [[3], [3], []] && twins.taken == [[3]])
  }
}
