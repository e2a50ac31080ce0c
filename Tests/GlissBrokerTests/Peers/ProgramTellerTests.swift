import Foundation
import Glibc
import Testing

@testable import GlissBroker

@Suite struct ProgramTellerTests {
  @Test(
    arguments: [
      ProgramQuestion(1, wantsFlatpakApp: false), ProgramQuestion(.max, wantsFlatpakApp: true),
      ProgramQuestion(0x0102_0304, wantsFlatpakApp: true),
    ])
  func aQuestionIsReadAsItWasWritten(question: ProgramQuestion) {
    #expect(question.bytes.count == ProgramQuestion.size)
    #expect(ProgramQuestion(question.bytes) == question)
  }

  @Test(
    arguments: [
      [], [1, 0, 0, 0], [1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [255, 255, 255, 255, 0],
      [1, 0, 0, 0, 2],
    ] as [[UInt8]])
  func whatIsNoQuestionIsNotAnswered(bytes: [UInt8]) { #expect(ProgramQuestion(bytes) == nil) }

  @Test(
    arguments: [
      ProgramAnswer(executable: nil, flatpakApp: nil),
      ProgramAnswer(executable: "/usr/bin/gliss", flatpakApp: nil),
      ProgramAnswer(executable: "/a b/ü", flatpakApp: "org.a.B"),
    ])
  func anAnswerIsReadAsItWasWritten(answer: ProgramAnswer) {
    #expect(ProgramAnswer(answer.bytes) == answer)
  }

  @Test(arguments: [[], [0x2f], [0, 0], [0xff, 0], [0, 0xff]] as [[UInt8]])
  func whatIsNoAnswerSaysNothing(bytes: [UInt8]) { #expect(ProgramAnswer(bytes) == nil) }

  @Test func aHelperTellsTheProgramOfAProcess() throws {
    let helper = try Helper()
    helper.start()
    let teller = ProgramTeller(helper.path, patience: 5000)
    for _ in 0..<3 {
      let answer = teller.ask(ProgramQuestion(getpid(), wantsFlatpakApp: false))
      #expect(answer?.executable == ProcessFiles(getpid()).target(of: "exe"))
      #expect(answer?.flatpakApp == nil)
    }
    let nobody = teller.ask(ProgramQuestion(.max, wantsFlatpakApp: true))
    #expect(nobody == ProgramAnswer(executable: nil, flatpakApp: nil))
    // it answers one after the other
    let second = ProgramTeller(helper.path, patience: 50)
    #expect(second.ask(ProgramQuestion(getpid(), wantsFlatpakApp: false)) == nil)
  }

  @Test func withoutAHelperOrAnAnswerNothingIsKnown() throws {
    let question = ProgramQuestion(getpid(), wantsFlatpakApp: false)
    #expect(ProgramTeller("/nonexistent/socket").ask(question) == nil)
    #expect(ProgramTeller(String(repeating: "/a", count: 100)).ask(question) == nil)
    // somebody listens and says nothing
    let helper = try Helper()
    #expect(ProgramTeller(helper.path, patience: 1).ask(question) == nil)
  }
}

/// A helper on a thread of its own, which ends with the tests.
private final class Helper {
  let path = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID())").path
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
    var address = try #require(sockaddr_un(path: path))
    try #require(address.call(bind, descriptor) == 0 && listen(descriptor, 8) == 0)
  }

  deinit { unlink(path) }

  func start() {
    let descriptor = descriptor
    Thread.detachNewThread { try? ProgramTelling.run(on: descriptor) }
  }
}
