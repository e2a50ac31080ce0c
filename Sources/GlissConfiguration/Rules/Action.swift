public import GlissHotkeys

/// One thing that is done.
public struct Action: Hashable, Sendable {
  public var verb: Verb
  public var place: Place

  public enum Verb: Hashable, Sendable {
    case run(Command)
    /// Chords pressed and released one after the other.
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

/// A program to be started; nobody waits for it.
public struct Command: Hashable, Sendable {
  public var program: Program
  /// Where it runs; `~` stands for the home folder. Without one it is the home folder itself.
  public var folder: String?
  /// What its environment has beyond the agent's, in the order of the file.
  public var environment: [Variable]
  /// How many that this action started may run at a time: what comes on top is left out, and the log says so.
  public var atOnce: Int?
  /// How long it may run before it is ended: SIGTERM, and SIGKILL 2 s later.
  public var time: Time

  public enum Time: Hashable, Sendable {
    /// As long as ``CommandLimits`` say.
    case standard
    case milliseconds(Int)
    case endless
  }

  public enum Program: Hashable, Sendable {
    /// The program and its arguments as they are; the program is looked for on the path.
    case arguments([String])
    /// Handed to `/bin/sh -c` as it is. Values of the gesture are in its environment only.
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

/// A line for another program.
public struct Emission: Hashable, Sendable {
  /// A FIFO or a stream socket that is there; `~` and `$XDG_RUNTIME_DIR` stand for their folders.
  public var path: String
  /// The line; without one the event itself is told, as JSON.
  public var line: String?

  public init(path: String, line: String?) {
    self.path = path
    self.line = line
  }
}
