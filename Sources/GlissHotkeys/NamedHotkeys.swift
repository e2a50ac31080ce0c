public import GlissEvents

extension Hotkey {
  /// The name of a hotkey that the user chooses, for handlers and for storing.
  ///
  /// ```swift
  /// extension Hotkey.Name {
  ///   static let openTerminal = Self("openTerminal")
  /// }
  /// ```
  ///
  /// A `[Hotkey.Name: Hotkey]` is stored as an object: `{"openTerminal": "super+shift+t"}`.
  public struct Name: RawRepresentable, Hashable, Sendable, Codable, CodingKeyRepresentable,
    CustomStringConvertible
  {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name that is stored as `rawValue`.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
  }

  /// A key with modifiers: `Hotkey(.t, [.super, .shift])`.
  public init(_ key: Key, _ modifiers: ChordModifiers = [], activation: Activation = .press) {
    self.init(Chord(modifiers, .key(key)), activation: activation)
  }
}

/// Hotkeys under the names that a program has for them, and the handlers of these names.
///
/// Handlers belong to a name, not to a hotkey: they stay when the user chooses another hotkey, and
/// may be added before there is one. They are called inline, where hotkeys are reported.
public final class NamedHotkeys<Failure: Error> {
  package typealias Register =
    (Hotkey, Hotkey.Name, Terms, @escaping (HotkeyEvent) -> Void) throws(Failure) -> HotkeyID

  /// How a hotkey is registered.
  package struct Terms: Hashable {
    package var mode: String?
    package var consuming: Bool
  }

  private struct Registration {
    var hotkey: Hotkey
    var terms: Terms
    var id: HotkeyID
    /// The number of the token that holds it; `nil` if it stays without one.
    var token: Int?
  }

  private final class Handler {
    /// Returns whether to call it again.
    let call: (HotkeyEvent) -> Bool
    /// It is not called again, even for the event that is being reported.
    var isRemoved = false

    init(_ call: @escaping (HotkeyEvent) -> Bool) { self.call = call }
  }

  fileprivate let parse: (String) throws(Failure) -> Hotkey
  private let registerID: Register
  private let unregisterID: (HotkeyID) -> Void
  private let isLimit: (Failure) -> Bool
  private var registrations: [Hotkey.Name: Registration] = [:]
  private var handlers: [Hotkey.Name: [Handler]] = [:]
  private var sequences = OpenSequences()
  /// How many tokens have been made.
  private var count = 0

  /// The closures are those of where hotkeys are registered: a session or the broker. `isLimit` is
  /// whether there are too many hotkeys.
  package init(
    parse: @escaping (String) throws(Failure) -> Hotkey, register: @escaping Register,
    unregister: @escaping (HotkeyID) -> Void, isLimit: @escaping (Failure) -> Bool = { _ in false }
  ) {
    (self.parse, registerID, unregisterID) = (parse, register, unregister)
    self.isLimit = isLimit
  }

  // MARK: Registering

  /// The hotkey of each name that has one: what a program stores and later passes to
  /// ``NamesHotkeys/register(_:mode:consuming:)``.
  public var all: [Hotkey.Name: Hotkey] { registrations.mapValues(\.hotkey) }

  /// The hotkey of `name`; `nil` if it has none.
  public subscript(name: Hotkey.Name) -> Hotkey? { registrations[name]?.hotkey }

  fileprivate func register(
    _ hotkey: Hotkey, _ terms: Terms, as name: Hotkey.Name
  ) throws(Failure) -> HotkeyID {
    guard let before = registrations[name] else { return try add(hotkey, terms, as: name) }
    if before.hotkey == hotkey, before.terms == terms {
      registrations[name]?.token = nil
      return before.id
    }
    if before.terms.mode != terms.mode || !before.hotkey.conflicts(with: hotkey) {
      // the old one, which may be held, is released only if the new one can be had
      do throws(Failure) {
        return try add(hotkey, terms, as: name)
      } catch {
        guard isLimit(error) else { throw error }
      }
    }
    remove(name)
    do throws(Failure) {
      return try add(hotkey, terms, as: name)
    } catch {
      _ = try? add(before.hotkey, before.terms, as: name)
      registrations[name]?.token = before.token
      throw error
    }
  }

  fileprivate func hold(_ name: Hotkey.Name) -> HotkeyToken {
    count += 1
    let token = count
    registrations[name]?.token = token
    return HotkeyToken { [weak self] in
      if self?.registrations[name]?.token == token { self?.remove(name) }
    }
  }

  private func add(
    _ hotkey: Hotkey, _ terms: Terms, as name: Hotkey.Name
  ) throws(Failure) -> HotkeyID {
    let id = try registerID(hotkey, name, terms) { [weak self] in self?.call($0, name) }
    remove(name)
    // The old hotkey's release handler may have registered one meanwhile.
    let other = registrations.updateValue(
      Registration(hotkey: hotkey, terms: terms, id: id), forKey: name)
    if let other { unregisterID(other.id) }
    return id
  }

  @discardableResult
  fileprivate func remove(_ name: Hotkey.Name) -> Bool {
    guard let registration = registrations.removeValue(forKey: name) else { return false }
    unregisterID(registration.id)
    return true
  }

  /// Unregisters `hotkey`, whatever its names.
  ///
  /// - Returns: whether it was registered.
  @discardableResult
  public func unregister(_ hotkey: Hotkey) -> Bool {
    let names = registrations.filter { $1.hotkey == hotkey }.map(\.key)
    for name in names { remove(name) }
    return !names.isEmpty
  }

  /// A hotkey was unregistered otherwise than by its name.
  package func forget(_ id: HotkeyID) {
    registrations = registrations.filter { $1.id != id }
  }

  // MARK: Handling

  fileprivate func on(
    _ phase: HotkeyEvent.Phase, of name: Hotkey.Name, _ handler: @escaping () -> Void
  ) -> HandlerToken {
    add(to: name) { event in
      if event.phase == phase { handler() }
      return true
    }
  }

  @discardableResult
  private func add(
    to name: Hotkey.Name, _ call: @escaping (HotkeyEvent) -> Bool
  ) -> HandlerToken {
    let handler = Handler(call)
    handlers[name, default: []].append(handler)
    return HandlerToken { [weak self, weak handler] in
      if let handler { self?.remove(handler, of: name) }
    }
  }

  private func remove(_ handler: Handler, of name: Hotkey.Name) {
    handler.isRemoved = true
    handlers[name]?.removeAll { $0 === handler }
    // A handler is released after the change: what it owns may add or remove others when it ends.
    withExtendedLifetime(handler) {}
  }

  fileprivate func makeEvents(of name: Hotkey.Name) -> BufferedEvents<HotkeyEvent> {
    let (events, intake) = BufferedEvents<HotkeyEvent>.make()
    sequences.add(intake, add(to: name) { intake.offer($0) })
    return events
  }

  /// How many handlers `name` has; for tests.
  package func handlerCount(of name: Hotkey.Name) -> Int { handlers[name]?.count ?? 0 }

  /// Stops calling the handlers of `name`, and ends its events.
  public func removeHandlers(of name: Hotkey.Name) {
    let removed = handlers.removeValue(forKey: name) ?? []
    for handler in removed { handler.isRemoved = true }
    withExtendedLifetime(removed) {}
  }

  private func call(_ event: HotkeyEvent, _ name: Hotkey.Name) {
    for handler in handlers[name] ?? [] where !handler.isRemoved {
      if !handler.call(event) { remove(handler, of: name) }
    }
  }
}

/// Keeps a hotkey registered for as long as the token exists: store it.
public final class HotkeyToken {
  private let didEnd: () -> Void

  init(_ didEnd: @escaping () -> Void) { self.didEnd = didEnd }

  /// Unregisters the hotkey now. This has no effect if it was done before, or if another one was
  /// registered under its name since.
  public func end() { didEnd() }

  deinit { didEnd() }
}

extension NamedHotkeys: NamesHotkeys {
  /// These hotkeys.
  public var named: NamedHotkeys<Failure> { self }
}

/// Something that has named hotkeys: a session for this process's own input, the broker for the
/// whole seat, or ``NamedHotkeys`` themselves.
///
/// ```swift
/// try hotkeys.register("super+shift+t", as: .openTerminal)
/// hotkeys.onPress(of: .openTerminal) { openTerminal() }
/// ```
public protocol NamesHotkeys: AnyObject {
  /// Why a hotkey cannot be registered.
  associatedtype HotkeyFailure: Error

  /// The named hotkeys.
  var named: NamedHotkeys<HotkeyFailure> { get }
}

extension NamesHotkeys {
  /// Registers `hotkey` under `name`, in place of the one it had.
  ///
  /// - Parameters:
  ///   - mode: the mode it is active in; without one it is active while no mode is.
  ///   - consuming: whether its keys are kept from the rest of the desktop.
  /// - Returns: its number, which its events carry.
  /// - Throws: if it is taken or not possible; `name` then keeps the hotkey it had.
  @discardableResult
  public func register(
    _ hotkey: Hotkey, as name: Hotkey.Name, mode: String? = nil, consuming: Bool = false
  ) throws(HotkeyFailure) -> HotkeyID {
    let terms = NamedHotkeys<HotkeyFailure>.Terms(mode: mode, consuming: consuming)
    return try named.register(hotkey, terms, as: name)
  }

  /// The same for a hotkey given as text (docs/hotkeys.md).
  @discardableResult
  public func register(
    _ text: String, as name: Hotkey.Name, mode: String? = nil, consuming: Bool = false
  ) throws(HotkeyFailure) -> HotkeyID {
    try register(try named.parse(text), as: name, mode: mode, consuming: consuming)
  }

  /// Registers stored hotkeys under their names. One that fails does not stop the others.
  ///
  /// - Returns: why the hotkeys of these names are not registered; empty if all are. Names that had
  ///   another hotkey keep it.
  public func register(
    _ stored: [Hotkey.Name: Hotkey], mode: String? = nil, consuming: Bool = false
  ) -> [Hotkey.Name: HotkeyFailure] {
    var failures: [Hotkey.Name: HotkeyFailure] = [:]
    for (name, hotkey) in stored.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      do throws(HotkeyFailure) {
        try register(hotkey, as: name, mode: mode, consuming: consuming)
      } catch {
        failures[name] = error
      }
    }
    return failures
  }

  /// Registers `hotkey` under `name` for as long as the token exists. A later registration under the
  /// name, even of the same hotkey, makes an earlier token ineffective.
  public func hold(
    _ hotkey: Hotkey, as name: Hotkey.Name, mode: String? = nil, consuming: Bool = false
  ) throws(HotkeyFailure) -> HotkeyToken {
    try register(hotkey, as: name, mode: mode, consuming: consuming)
    return named.hold(name)
  }

  /// The same for a hotkey given as text (docs/hotkeys.md).
  public func hold(
    _ text: String, as name: Hotkey.Name, mode: String? = nil, consuming: Bool = false
  ) throws(HotkeyFailure) -> HotkeyToken {
    try hold(try named.parse(text), as: name, mode: mode, consuming: consuming)
  }

  /// Unregisters the hotkey of `name`, and releases it if it is held. Handlers of the name stay.
  ///
  /// - Returns: whether it had one.
  @discardableResult
  public func unregister(_ name: Hotkey.Name) -> Bool { named.remove(name) }

  /// Calls `handler` whenever the hotkey of `name` is pressed.
  @discardableResult
  public func onPress(of name: Hotkey.Name, _ handler: @escaping () -> Void) -> HandlerToken {
    named.on(.pressed, of: name, handler)
  }

  /// Calls `handler` whenever the hotkey of `name` is released.
  @discardableResult
  public func onRelease(of name: Hotkey.Name, _ handler: @escaping () -> Void) -> HandlerToken {
    named.on(.released, of: name, handler)
  }

  /// Calls `handler` whenever the key repeats, for a hotkey with
  /// ``Hotkey/Activation/repeat``.
  @discardableResult
  public func onRepeat(of name: Hotkey.Name, _ handler: @escaping () -> Void) -> HandlerToken {
    named.on(.repeated, of: name, handler)
  }

  /// All events of the hotkey of `name` from now on, for `for await`. They go on when the name gets
  /// another hotkey, and wait while it has none; ``NamedHotkeys/removeHandlers(of:)`` ends them.
  public func events(of name: Hotkey.Name) -> BufferedEvents<HotkeyEvent> {
    named.makeEvents(of: name)
  }
}
