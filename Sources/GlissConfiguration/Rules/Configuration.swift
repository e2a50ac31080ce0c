/// The combined contents of the configuration files, after checking.
package struct Configuration: Hashable, Sendable {
  /// The rules in the order they are written, file after file.
  package var rules: [Rule]
  /// Recognizer settings for all devices.
  package var settings: [SettingChange]
  /// Recognizer settings for some devices. Later profiles override earlier ones.
  package var profiles: [DeviceProfile]
  /// The limits for commands that set none themselves.
  package var limits: CommandLimits

  package init(
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
package struct SettingChange: Hashable, Sendable {
  package var name: String
  package var value: Double

  package init(name: String, value: Double) {
    self.name = name
    self.value = value
  }
}

/// Settings for the devices that `match` selects.
package struct DeviceProfile: Hashable, Sendable {
  package var match: DeviceMatch
  /// The applications that it is for; `nil` to apply always.
  package var application: ApplicationMatch?
  package var settings: [SettingChange]
}

/// The limits for all commands.
package struct CommandLimits: Hashable, Sendable {
  /// How many commands may run at a time, whatever started them.
  package var running: Int
  /// How long a command may run, in milliseconds; `nil` for no limit.
  package var milliseconds: Int?

  package init(running: Int = 64, milliseconds: Int? = nil) {
    self.running = running
    self.milliseconds = milliseconds
  }
}

/// A place in a file. Lines and columns are counted from 1, columns in characters.
package struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
  package var file: String
  package var line: Int
  package var column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  package static func < (a: Place, b: Place) -> Bool {
    (a.file, a.line, a.column) < (b.file, b.line, b.column)
  }

  package var description: String { "\(file):\(line):\(column)" }
}
