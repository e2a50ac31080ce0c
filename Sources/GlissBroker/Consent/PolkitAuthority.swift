import CLinux
import Glibc
import GlissDevices
import GlissEvents
import GlissGate

/// Asks polkit, whose agent asks an administrator. Nothing waits: the loop goes on turning meanwhile.
///
/// polkit is told pid, start time and uid, and finds out itself that they belong together. Whoever has agreed has agreed
/// to that process: where it has ended by then the answer is a refusal.
final class PolkitAuthority: ConsentAuthority, Timed {
  private static let service = "org.freedesktop.PolicyKit1"
  private static let path = "/org/freedesktop/PolicyKit1/Authority"
  private static let interface = "org.freedesktop.PolicyKit1.Authority"
  /// The agent may ask: `AllowUserInteraction`.
  private static let mayInteract: UInt32 = 1

  private final class Question {
    let answer: (ConsentAnswer) -> Void
    /// The process it is about, held so that its number cannot become another's; -1 where it had ended already.
    let process: Int32
    var interest: BusInterest?

    init(_ identity: ClientIdentity, _ answer: @escaping (ConsentAnswer) -> Void) {
      self.answer = answer
      let descriptor = gliss_pidfd_open(identity.pid)
      if descriptor >= 0, ProcessFacts.startTime(of: identity.pid) == identity.startTime {
        process = descriptor
      } else {
        if descriptor >= 0 { close(descriptor) }
        process = -1
      }
    }

    deinit { if process >= 0 { close(process) } }

    var isAboutTheLiving: Bool { process >= 0 && Peer.isAlive(process) }
  }

  private let loop: EventLoop
  private let address: String?
  private let patience: EventInterval
  private var bus: Bus?
  private var questions: [UInt64: Question] = [:]
  private var lastNumber: UInt64 = 0
  /// Answered as soon as time passes: whoever asks is not called back while still asking.
  private var decided: [(UInt64, ConsentAnswer)] = []

  /// - Parameters:
  ///   - address: the bus that polkit is on; `nil` for the system's.
  ///   - patience: how long somebody may think; then it is as if nobody had been there.
  init(
    _ loop: EventLoop, address: String? = nil, patience: EventInterval = .milliseconds(300_000)
  ) {
    self.loop = loop
    self.address = address
    self.patience = patience
  }

  // MARK: Asking

  func ask(
    _ action: String, details: [(String, String)], for identity: ClientIdentity,
    answer: @escaping (ConsentAnswer) -> Void
  ) -> UInt64 {
    lastNumber += 1
    let number = lastNumber
    let question = Question(identity, answer)
    questions[number] = question
    if !question.isAboutTheLiving {
      decided.append((number, .refused))
    } else if let message = call(action, details, identity, number) {
      question.interest = bus?.send(message, within: patience) { [unowned self] in
        take($0, to: number)
      }
      if question.interest == nil { decided.append((number, .nobodyToAsk)) }
    } else {
      decided.append((number, .nobodyToAsk))
    }
    return number
  }

  func withdraw(_ question: UInt64) {
    guard let known = questions.removeValue(forKey: question) else { return }
    decided.removeAll { $0.0 == question }
    if known.interest != nil { cancel(question) }
  }

  /// The agent's window closes.
  private func cancel(_ number: UInt64) {
    guard let bus,
      let message = bus.message(
        Self.service, Self.path, Self.interface, "CancelCheckAuthorization"),
      message.append(Self.cancellation(number))
    else { return }
    bus.send(message)
  }

  private static func cancellation(_ number: UInt64) -> String { "gliss-\(number)" }

  private func call(
    _ action: String, _ details: [(String, String)], _ identity: ClientIdentity, _ number: UInt64
  ) -> BusMessage? {
    guard let bus = connected(),
      let message = bus.message(Self.service, Self.path, Self.interface, "CheckAuthorization")
    else { return nil }
    let pid = UInt32(bitPattern: identity.pid)
    let isWhole =
      message.append("r", "sa{sv}") {
        message.append("unix-process")
          && message.append("a", "{sv}") {
            message.appendEntry("pid", "u") { message.append(pid) }
              && message.appendEntry("start-time", "t") { message.append(identity.startTime) }
              && message.appendEntry("uid", "i") { message.append(Int32(bitPattern: identity.uid)) }
          }
      } && message.append(action)
      && message.append("a", "{ss}") {
        details.allSatisfy { name, value in
          message.append("e", "ss") { message.append(name) && message.append(value) }
        }
      } && message.append(Self.mayInteract) && message.append(Self.cancellation(number))
    guard isWhole else { return nil }
    return message
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
    let answer = Self.answer(message)
    // polkit may still be asking: nobody listens to what comes of it
    if message.error != nil { cancel(number) }
    finish(number, answer)
  }

  private func finish(_ number: UInt64, _ answer: ConsentAnswer) {
    guard let question = questions.removeValue(forKey: number) else { return }
    switch answer {
    case .agreed: question.answer(question.isAboutTheLiving ? .agreed : .refused)
    case .refused, .nobodyToAsk: question.answer(answer)
    }
  }

  /// `(bba{ss})`: authorized, or could be by asking; and details.
  private static func answer(_ message: borrowing BusMessage) -> ConsentAnswer {
    guard message.error == nil else { return .nobodyToAsk }
    let found: (isAuthorized: Bool, isChallenge: Bool, wasDismissed: Bool)? =
      message.within("r", "bba{ss}") {
        guard let isAuthorized = message.bool(), let isChallenge = message.bool() else {
          return nil
        }
        let details = message.texts()
        return (isAuthorized, isChallenge, details["polkit.dismissed"] != nil)
      }
    guard let found else { return .nobodyToAsk }
    if found.isAuthorized { return .agreed }
    // it could still be asked, although asking was allowed: nobody was there to do it
    return found.isChallenge && !found.wasDismissed ? .nobodyToAsk : .refused
  }

  // MARK: Time

  /// When ``advance(to:)`` must be called if nothing comes before.
  var deadline: EventTime? { decided.isEmpty ? bus?.deadline : .zero }

  func advance(to time: EventTime) {
    let due = decided
    decided = []
    for (number, answer) in due { finish(number, answer) }
    if let overdue = bus?.deadline, overdue <= time { bus?.advance() }
  }
}

extension BusMessage {
  /// An entry of a dictionary whose values are variants.
  fileprivate func appendEntry(_ name: String, _ type: String, _ value: () -> Bool) -> Bool {
    append("e", "sv") { append(name) && append("v", type, value) }
  }
}
