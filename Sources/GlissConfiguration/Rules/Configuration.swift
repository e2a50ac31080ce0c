/// The combined contents of the configuration files, after checking.
public struct Configuration: Hashable, Sendable {
  /// The rules in the order they are written, file after file.
  public var rules: [Rule]
  /// Recognizer settings for all devices.
  public var settings: [SettingChange]
  /// Recognizer settings for some devices. Later profiles override earlier ones.
  public var profiles: [DeviceProfile]
  /// The limits for commands that set none themselves.
  public var limits: CommandLimits

  public init(
    rules: [Rule] = [], settings: [SettingChange] = [], profiles: [DeviceProfile] = [],
    limits: CommandLimits = CommandLimits()
  ) {
    self.rules = rules
    self.settings = settings
    self.profiles = profiles
    self.limits = limits
  }
}

/// A value of ``GestureConfiguration`` that differs from its default. Name and value have been
/// checked.
public struct SettingChange: Hashable, Sendable {
  public var name: String
  public var value: Double
  public var place: Place

  public init(name: String, value: Double, place: Place) {
    self.name = name
    self.value = value
    self.place = place
  }
}

/// Settings for the devices that `match` selects.
public struct DeviceProfile: Hashable, Sendable {
  public var match: DeviceMatch
  public var settings: [SettingChange]
  public var place: Place

  public init(match: DeviceMatch, settings: [SettingChange], place: Place) {
    self.match = match
    self.settings = settings
    self.place = place
  }
}

/// The limits for all commands.
public struct CommandLimits: Hashable, Sendable {
  /// How many commands may run at a time, whatever started them.
  public var running: Int
  /// How long a command may run, in milliseconds; `nil` for no limit.
  public var milliseconds: Int?

  public init(running: Int = 64, milliseconds: Int? = nil) {
    self.running = running
    self.milliseconds = milliseconds
  }
}

/// A place in a file. Lines and columns are counted from 1, columns in characters.
public struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
  public var file: String
  public var line: Int
  public var column: Int

  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  public static func < (a: Place, b: Place) -> Bool {
    (a.file, a.line, a.column) < (b.file, b.line, b.column)
  }

  public var description: String { "\(file):\(line):\(column)" }
}
