/// One checked item, the result, and what to do about it.
public struct Finding: Hashable, Sendable {
  /// What was checked.
  public enum Subject: String, Hashable, Sendable, CaseIterable {
    case kernel, udev, libinput, session, devices, access, keyboards, grab, size, slots, layout,
      pressing
    /// The broker. Whoever asks the broker adds this finding.
    case broker
  }

  /// The result.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    case ok
    /// Worth knowing: something is less exact, or something is missing that not everybody needs.
    case note
    /// Something does not work.
    case problem
  }

  /// One way to fix or improve it.
  public struct Advice: Hashable, Sendable {
    public var text: String
    /// The commands to type, in order.
    public var commands: [String]

    public init(_ text: String, commands: [String] = []) {
      self.text = text
      self.commands = commands
    }
  }

  public var subject: Subject
  public var verdict: Verdict
  /// A sentence without its full stop. Device names appear as they were read.
  public var text: String
  /// The device it is about, if any.
  public var path: String?
  /// The ways to fix it, best first.
  public var advice: [Advice]

  public init(
    _ subject: Subject, _ verdict: Verdict, _ text: String, path: String? = nil,
    advice: [Advice] = []
  ) {
    self.subject = subject
    self.verdict = verdict
    self.text = text
    self.path = path
    self.advice = advice
  }
}
