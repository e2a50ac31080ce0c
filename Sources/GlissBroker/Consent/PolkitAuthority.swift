import GlissDevices
import GlissEvents
package import GlissGate

/// Asks polkit, whose agent asks an administrator. The loop keeps running meanwhile.
///
/// polkit checks itself that the pid, start time and uid belong together. Consent applies to that
/// process: if it has ended by then, the answer is a refusal.
///
/// polkit is asked twice, first whether anybody could be asked at all. Otherwise a refusal by a
/// person would look like a policy under which nobody is asked (over ssh, for example).
final class PolkitAuthority: ConsentAuthority, Timed {
  private static let service = "org.freedesktop.PolicyKit1"
  private static let path = "/org/freedesktop/PolicyKit1/Authority"
  private static let interface = "org.freedesktop.PolicyKit1.Authority"

  private struct Question {
    let action: String
    let details: [(String, String)]
    let identity: ClientIdentity
    let isAlive: () -> Bool
    let answer: (ConsentAnswer) -> Void
    /// Whether polkit is asking a person. The first call only finds out whether it could.
    var isPut = false
    var interest: BusInterest?
  }

  private let loop: InputLoop
  private let address: String?
  private let timeout: EventInterval
  private var bus: Bus?
  private var questions: [UInt64: Question] = [:]
  private var lastNumber: UInt64 = 0
  /// Answers for the next ``advance(to:)``: a caller must not be called back while it asks.
  private var decided: [(UInt64, ConsentAnswer)] = []

  /// `address` is the bus of polkit; `nil` for the system bus. After the timeout it counts as if
  /// nobody could be asked.
  init(
    _ loop: InputLoop, address: String? = nil, timeout: EventInterval = .milliseconds(300_000)
  ) {
    self.loop = loop
    self.address = address
    self.timeout = timeout
  }

  // MARK: Asking

  func ask(
    _ action: String, details: [(String, String)], for identity: ClientIdentity,
    isAlive: @escaping () -> Bool, answer: @escaping (ConsentAnswer) -> Void
  ) -> UInt64 {
    lastNumber += 1
    let question = Question(
      action: action, details: details, identity: identity, isAlive: isAlive, answer: answer)
    questions[lastNumber] = question
    if !isAlive() {
      decided.append((lastNumber, .refused))
    } else if !send(question, lastNumber) {
      decided.append((lastNumber, .nobodyToAsk))
    }
    return lastNumber
  }

  private func send(_ question: Question, _ number: UInt64) -> Bool {
    // without a start time polkit would look one up itself, and might find another process's
    guard question.identity.startTime > 0 else { return false }
    let interest = connected()?.ask(
      Self.service, Self.path, Self.interface, "CheckAuthorization",
      { Self.fill($0, question, number) }, within: timeout
    ) { [unowned self] in take($0, to: number) }
    questions[number]?.interest = interest
    return interest != nil
  }

  var hasPutAll: Bool { questions.values.allSatisfy(\.isPut) }

  func withdraw(_ question: UInt64) {
    guard let known = questions.removeValue(forKey: question) else { return }
    decided.removeAll { $0.0 == question }
    if known.interest != nil { cancel(question) }
  }

  /// Closes the agent's window.
  private func cancel(_ number: UInt64) {
    bus?.tell(Self.service, Self.path, Self.interface, "CancelCheckAuthorization") {
      $0.append(Self.cancellation(number))
    }
  }

  private static func cancellation(_ number: UInt64) -> String { "gliss-\(number)" }

  private static func fill(
    _ message: borrowing BusMessage, _ question: Question, _ number: UInt64
  ) -> Bool {
    let identity = question.identity
    let pid = UInt32(bitPattern: identity.pid)
    // the agent may ask
    let allowUserInteraction: UInt32 = 1
    return message.append("r", "sa{sv}") {
      message.append("unix-process")
        && message.append("a", "{sv}") {
          message.appendEntry("pid", "u") { message.append(pid) }
            && message.appendEntry("start-time", "t") { message.append(identity.startTime) }
            && message.appendEntry("uid", "i") { message.append(Int32(bitPattern: identity.uid)) }
        }
    } && message.append(question.action)
      && message.append("a", "{ss}") {
        question.details.allSatisfy { name, value in
          message.append("e", "ss") { message.append(name) && message.append(value) }
        }
      } && message.append(question.isPut ? allowUserInteraction : 0)
      && message.append(cancellation(number))
  }

  private func connected() -> Bus? {
    if let bus { return bus }
    guard let new = Bus(address) else { return nil }
    do { try new.attach(to: loop) { [unowned self] in bus = nil } } catch { return nil }
    bus = new
    return new
  }

  // MARK: Answers

  private func take(_ message: borrowing BusMessage, to number: UInt64) {
    guard var question = questions[number] else { return }
    // polkit may still be asking, but nobody waits for the result
    if message.error != nil { cancel(number) }
    guard let decision = Self.decision(message) else { return finish(number, .nobodyToAsk) }
    if decision.isAuthorized { return finish(number, .agreed) }
    if question.isPut {
      // if a person could still be asked, no agent was there to do so
      return finish(number, decision.mayAsk ? .nobodyToAsk : .refused)
    }
    question.isPut = true
    questions[number] = question
    if !decision.mayAsk || !send(question, number) { finish(number, .nobodyToAsk) }
  }

  private func finish(_ number: UInt64, _ answer: ConsentAnswer) {
    guard let question = questions.removeValue(forKey: number) else { return }
    question.answer(answer == .agreed && !question.isAlive() ? .refused : answer)
  }

  /// Parses `(bba{ss})`: whether it is authorized, whether asking could authorize it, and details.
  private static func decision(
    _ message: borrowing BusMessage
  ) -> (isAuthorized: Bool, mayAsk: Bool)? {
    guard message.error == nil else { return nil }
    return message.within("r", "bba{ss}") {
      guard let isAuthorized = message.bool(), let isChallenge = message.bool() else {
        return nil
      }
      let wasDismissed = message.dictionary("ss")["polkit.dismissed"] != nil
      return (isAuthorized, isChallenge && !wasDismissed)
    }
  }

  // MARK: Time

  var deadline: EventTime? { decided.isEmpty ? nil : .zero }

  func advance(to time: EventTime) {
    let due = decided
    decided = []
    for (number, answer) in due { finish(number, answer) }
  }
}

package enum ConsentAnswer: Hashable, Sendable {
  case agreed
  case refused
  /// There is no polkit, no agent to show the question, or a policy that asks nobody for this user.
  case nobodyToAsk
}

/// Asks an administrator, through polkit, on behalf of a client.
package protocol ConsentAuthority: AnyObject {
  /// Asks for the policy's `action`. The agent may show `details`. Returns the question's number at
  /// once. `answer` is called once from the loop, unless the question is withdrawn.
  ///
  /// - Parameter isAlive: whether it is still the process that consent applies to.
  func ask(
    _ action: String, details: [(String, String)], for identity: ClientIdentity,
    isAlive: @escaping () -> Bool, answer: @escaping (ConsentAnswer) -> Void
  ) -> UInt64

  func withdraw(_ question: UInt64)
}
