/// One thing that was looked at, what was found, and what to do about it.
public struct Finding: Hashable, Sendable {
  /// What was looked at.
  public enum Subject: String, Hashable, Sendable, CaseIterable {
    case kernel, udev, libinput, session, devices, access, keyboards, grab, size, slots, layout,
      pressing
    /// The broker; who asks it adds it.
    case broker
  }

  /// How it stands.
  public enum Verdict: String, Hashable, Sendable, CaseIterable {
    case ok
    /// Good to know; something is less exact or missing that not everybody needs.
    case note
    /// Something does not work.
    case problem
  }

  /// One way to better it.
  public struct Advice: Hashable, Sendable {
    public var text: String
    /// What to type, in this order.
    public var commands: [String]

    public init(_ text: String, commands: [String] = []) {
      self.text = text
      self.commands = commands
    }
  }

  public var subject: Subject
  public var verdict: Verdict
  /// A sentence without its full stop. Names of devices are in it as they were read.
  public var text: String
  /// The device it is about, where it is about one.
  public var path: String?
  /// The ways to better it, the best first.
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
