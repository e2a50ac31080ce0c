import GlissBroker
import GlissEvents
import GlissGate

/// Answers in an administrator's place, as the director wants.
final class Understudy: ConsentAuthority, Timed {
  /// The answer to each question; `nil` where it waits for ``answer(_:)``.
  var answer: ConsentAnswer? = .nobodyToAsk
  private var waiting: [(number: UInt64, go: (ConsentAnswer) -> Void)] = []
  /// How many questions were asked.
  private(set) var count: UInt64 = 0

  func ask(
    _ action: String, details: [(String, String)], for identity: ClientIdentity,
    isAlive: @escaping () -> Bool, answer go: @escaping (ConsentAnswer) -> Void
  ) -> UInt64 {
    count += 1
    waiting.append((count, go))
    return count
  }

  func withdraw(_ question: UInt64) { waiting.removeAll { $0.number == question } }

  /// Answers come from the loop, as polkit's do.
  var deadline: EventTime? { answer == nil || waiting.isEmpty ? nil : .zero }

  func advance(to time: EventTime) {
    guard let answer else { return }
    let asked = waiting
    waiting = []
    for question in asked { question.go(answer) }
  }
}
