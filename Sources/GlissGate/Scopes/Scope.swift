public import GlissEvents

/// How much of the input a right concerns, from least to most.
public enum Tier: UInt8, Hashable, Sendable, CaseIterable {
  /// A client's own chords, which cannot spell out typing: nobody needs a grant, not even a sandbox without a name.
  case hotkey
  /// Recognized gestures without coordinates, and taps of bare modifiers.
  case gesture
  /// Keys, touches, pointers and gestures with coordinates, and what is down now.
  case raw
  /// Pressing keys for the user, and taking a chord from the rest of the desktop.
  case post

  /// The word in the protocol.
  public var name: String {
    switch self {
    case .hotkey: "hotkey"
    case .gesture: "gesture"
    case .raw: "raw"
    case .post: "post"
    }
  }
}

/// What somebody asks to see, or is granted.
public struct Scope: Hashable, Sendable {
  public var tier: Tier
  /// Which kinds of event; of use in the raw tier, `.gesture` in the gesture tier.
  public var events: EventMask
  /// The devices by name; `nil` for all.
  public var devices: Set<String>?
  /// Which keys, where `events` has keys.
  public var keys: KeyClasses

  public init(
    tier: Tier, events: EventMask = [], devices: Set<String>? = nil, keys: KeyClasses = []
  ) {
    self.tier = tier
    self.events = events
    self.devices = devices
    self.keys = keys
  }
}
