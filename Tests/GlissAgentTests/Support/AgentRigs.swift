import Foundation
import GlissConfiguration
import GlissDevices
import GlissEvents
import Synchronization
import TestSupport
import Testing

@testable import GlissAgent

/// What was said, in order.
final class SaidLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }
  func contains(_ text: String) -> Bool { all.contains { $0.contains(text) } }

  func log(isVerbose: Bool = false) -> AgentLog {
    AgentLog(isVerbose: isVerbose) { _, text in self.lines.withLock { $0.append(text) } }
  }
}

/// A folder that is gone with this.
final class Scratch {
  let path: String

  init() throws {
    var template = Array("\(NSTemporaryDirectory())/gliss-agent.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    // without the links that lead there, as the kernel names it
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = URL(filePath: made).resolvingSymlinksInPath().path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
  func write(_ text: String, to name: String) throws {
    try text.write(toFile: file(name), atomically: false, encoding: .utf8)
  }
  func text(_ name: String) -> String {
    (try? String(contentsOfFile: file(name), encoding: .utf8)) ?? ""
  }

  /// Waits for the child that has written its number to `name`, and for no other test's: a child that nobody has waited
  /// for keeps the library's exit tests waiting for ever.
  func reap(_ name: String) throws {
    waitpid(try #require(pid_t(text(name).filter { $0.isNumber })), nil, 0)
  }
}

extension ActionContext {
  /// A tap with two fingers, for the rule "test".
  static func tap(rule: String = "test", on device: String = "") -> ActionContext {
    var tap = GestureEvent(
      time: .zero, device: DeviceID(rawValue: 0), kind: .tap, phase: .recognized, fingers: 2)
    tap.count = 1
    return ActionContext(
      activation: Activation(time: .zero, rule: 0, moment: .end, cause: .gesture(tap)), rule: rule,
      owner: RuleMember(place: .line(1), member: 0), device: device)
  }
}

extension Place {
  static func line(_ line: Int) -> Place { Place(file: "gliss.yaml", line: line, column: 3) }
}

/// How many descriptors this process has.
var descriptorCount: Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

/// How many children this process has, ended or not.
var childCount: Int {
  let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  return tasks.reduce(0) { count, task in
    let path = "/proc/self/task/\(task)/children"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return count + text.split(separator: " ").count
  }
}

/// Moved by hand.
final class HandClock {
  var now = EventTime.zero
}
