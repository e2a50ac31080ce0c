public import GlissHotkeys

/// One thing to do.
public struct Action: Hashable, Sendable {
  public var verb: Verb
  public var place: Place

  public enum Verb: Hashable, Sendable {
    case run(Command)
    /// Chords that are pressed and released one after the other.
    case keys([Chord])
    /// Enters a mode; `nil` leaves it.
    case mode(String?)
    case notify(summary: String, body: String?)
    case emit(Emission)
  }

  public init(_ verb: Verb, place: Place) {
    self.verb = verb
    self.place = place
  }
}

/// A program to start. Nothing waits for it.
public struct Command: Hashable, Sendable {
  public var program: Program
  /// Its working folder; `~` stands for the home folder. If `nil`, it is the home folder.
  public var folder: String?
  /// Variables added to the agent's environment, in file order.
  public var environment: [Variable]
  /// How many commands started by this action may run at a time. Further ones are not started, and
  /// the log says so.
  public var atOnce: Int?
  /// How long it may run before it is ended with SIGTERM, and 2 s later with SIGKILL.
  public var time: Time

  public enum Time: Hashable, Sendable {
    /// As ``CommandLimits`` says.
    case standard
    case milliseconds(Int)
    case endless
  }

  public enum Program: Hashable, Sendable {
    /// A program and its arguments, taken literally. The program is looked up in the `PATH`.
    case arguments([String])
    /// Passed to `/bin/sh -c` unchanged. Values of the gesture are only in its environment.
    case shell(String)
  }

  public struct Variable: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public init(
    _ program: Program, folder: String? = nil, environment: [Variable] = [], atOnce: Int? = nil,
    time: Time = .standard
  ) {
    self.program = program
    self.folder = folder
    self.environment = environment
    self.atOnce = atOnce
    self.time = time
  }
}

/// A line to write for another program.
public struct Emission: Hashable, Sendable {
  /// An existing FIFO or stream socket; `~` and `$XDG_RUNTIME_DIR` stand for their folders.
  public var path: String
  /// The line. If `nil`, the event itself is written as JSON.
  public var line: String?

  public init(path: String, line: String?) {
    self.path = path
    self.line = line
  }
}
