/// What a user wants to happen: everything that the configuration files say, checked and put together.
public struct Configuration: Hashable, Sendable {
  /// The rules in the order they stand in, file after file.
  public var rules: [Rule]
  /// Numbers of the recognizers, for every device.
  public var settings: [SettingChange]
  /// Numbers of the recognizers for some devices; a later profile wins.
  public var profiles: [DeviceProfile]
  /// What commands are held to that say nothing else.
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

/// One number of ``GestureConfiguration`` that differs from its default; name and value were checked.
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

/// What holds for the devices that it matches.
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

/// What all commands are held to.
public struct CommandLimits: Hashable, Sendable {
  /// How many commands may run at a time, whatever started them.
  public var running: Int
  /// How long a command may run, in milliseconds; `nil` without end.
  public var milliseconds: Int?

  public init(running: Int = 64, milliseconds: Int? = nil) {
    self.running = running
    self.milliseconds = milliseconds
  }
}

/// Where in the files something stands: lines and columns count from 1, columns in characters.
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
