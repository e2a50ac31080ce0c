import Foundation
import GlissDevices
import GlissEvents
import GlissGate
import Testing

@testable import GlissClient

/// Permissions: asked for, looked up, followed.
@Suite struct PermissionTests {
  private let broker: FakeBroker
  private let scope = Scope(tier: .gesture, events: .gesture)

  init() throws { broker = try FakeBroker() }

  private var connect: Permission.Connecting {
    { [broker] () throws(ClientError) in broker.connection }
  }

  private func say(_ standing: String, _ others: String = "", continues: Bool = false) {
    broker.say(
      #"{"parameters":{"verdict":{"standing":"\#(standing)","granted":[]\#(others)}}"#
        + #","continues":\#(continues)}"#)
  }

  private var asked: String {
    get throws {
      try broker.heard().map { "\($0["method"]?.string ?? "") \($0["parameters"] ?? [:])" }
        .joined(separator: "\n")
    }
  }

  @Test func aPreflightAsksNobody() async throws {
    say("notDetermined", #","mayRequest":true"#)
    let permission = try await Permission.preflight(scope, over: connect)
    #expect(permission.status == .notDetermined && !permission.isGranted && permission.mayRequest)
    #expect(try asked.hasPrefix("org.gliss.Broker.Preflight"))
  }

  @Test func aPermissionIsReadableAndReadAsItWasWritten() async throws {
    broker.say(
      #"{"parameters":{"verdict":{"standing":"notDetermined","granted":[],"advice":"ask"},"pending":7}}"#
    )
    let permission = try await Permission.request(scope, reason: nil, over: connect)
    #expect("\(permission)" == "gesture: not decided yet; ask; request 7 waits")
    let data = try JSONEncoder().encode(permission)
    #expect(try JSONDecoder().decode(Permission.self, from: data) == permission)
  }

  @Test(arguments: Standing.allCases)
  func aStandingIsReadInWords(_ standing: Standing) {
    #expect("\(standing)".allSatisfy { $0.isLowercase || $0 == " " })
  }

  @Test func aRequestGivesItsReasonAndTheNumberItWaitsUnder() async throws {
    broker.say(
      #"{"parameters":{"verdict":{"standing":"notDetermined","granted":[]},"pending":7}}"#)
    let permission = try await Permission.request(scope, reason: "to zoom", over: connect)
    #expect(permission.pending == 7 && permission.scope == scope)
    #expect(try asked.contains("to zoom"))
  }

  @Test func aRefusalIsThrown() async throws {
    broker.hangUp()
    await #expect(throws: ClientError.disconnected) {
      try await Permission.request(scope, reason: nil, over: connect)
    }
  }

  @Test func cancellingEndsTheWaitForAnAnswer() async throws {
    let task = Task { [scope, connect] in
      try await Permission.request(scope, reason: nil, over: connect)
    }
    task.cancel()
    await #expect(throws: ClientError.closed) { try await task.value }
    #expect(broker.isLeft(within: 10_000))
  }

  @Test func eachChangeIsReported() async throws {
    let code = BackgroundThread.start {
      _ = try? broker.nextHeard()
      for standing in ["notDetermined", "granted", "denied"] { say(standing, continues: true) }
      broker.hangUp()
    }
    #expect(code == 0)
    let changes = Permission.changes(of: scope, over: connect)
    var seen: [Standing] = []
    do throws(ClientError) {
      for try await permission in changes { seen.append(permission.status) }
      Issue.record("the broker hung up")
    } catch {
      #expect(error == .disconnected)
    }
    #expect(seen == [.notDetermined, .granted, .denied])
  }

  @Test func cancellingEndsTheChanges() async throws {
    say("granted", continues: true)
    let changes = Permission.changes(of: scope, over: connect)
    let task = Task {
      var seen: [Standing] = []
      for try await permission in changes {
        seen.append(permission.status)
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return seen
    }
    #expect(try await task.value == [.granted])
    #expect(broker.isLeft(within: 10_000))
  }

  @Test func anErrorDoesNotSayTwiceThatNothingIsGranted() {
    let long = "not granted: gestures; a program may ask (Request), or: gliss grants add"
    for advice in [long, "ended: revoked; \(long)"] {
      #expect("\(ClientError.notGranted(.notDetermined, advice: advice))" == advice)
    }
    #expect(
      "\(ClientError.notGranted(.notDetermined, advice: "ask"))"
        == "nobody has granted this yet; ask")
  }
}
