public import GlissEvents

/// How much of the input a grant concerns, from least to most.
public enum Tier: UInt8, Hashable, Sendable, CaseIterable {
  /// A client's own chords, which cannot spell out typing. Nobody needs a grant for them, not even
  /// an anonymous sandbox.
  case hotkey
  /// Recognized gestures without coordinates, and taps of bare modifiers.
  case gesture
  /// Keys, touches, pointers, gestures with coordinates, and what is down now.
  case raw
  /// Pressing keys for the user, and grabbing a chord so that the desktop does not get it.
  case post

  /// The word used in the protocol.
  public var name: String {
    switch self {
    case .hotkey: "hotkey"
    case .gesture: "gesture"
    case .raw: "raw"
    case .post: "post"
    }
  }
}

/// What a client asks to see, or is granted.
public struct Scope: Hashable, Sendable {
  public var tier: Tier
  /// The kinds of event. Used in the raw tier; in the gesture tier only `.gesture` is valid.
  public var events: EventMask
  /// The devices by name; `nil` for all.
  public var devices: Set<String>?
  /// The classes of keys, if `events` contains keys.
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
