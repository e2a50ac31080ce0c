public import GlissDevices
public import GlissEvents
import GlissGate
public import GlissHotkeys

/// Hotkeys for the whole seat, through the broker. They work like a session's own, and this program
/// sees no other keys.
///
/// ```swift
/// let hotkeys = try RemoteHotkeys()
/// try hotkeys.register("super+shift+t") { event in
///   if event.shouldAct { openTerminal() }
/// }
/// try hotkeys.run()
/// ```
///
/// Hotkeys that are registered together share a connection. A user may have 32 connections.
/// Handlers are called on the thread that runs the loop.
public final class RemoteHotkeys {
  /// Called with each event of the hotkey, on the thread that runs the loop.
  public typealias Handler = (HotkeyEvent) -> Void

  /// A hotkey as the broker writes it, in a mode.
  struct Chord: Hashable {
    var text: String
    var mode: String?
  }

  private struct Registration {
    var chord: Chord
    var line: Line
    var handler: Handler
    var isHeld = false
    var name: Hotkey.Name?
  }

  /// A connection, and those of its hotkeys that are still wanted.
  private final class Line {
    let connection: BrokerConnection
    var ids: [HotkeyID] = []
    /// What its named hotkeys need; others that need the same may join them. The connection ends
    /// when any of its hotkeys loses its grant.
    var needs: [Scope?]?
    /// All hotkeys it ever had, because events of an unregistered one may still come.
    var past: Set<Chord> = []
    /// Hotkeys that are no longer wanted but that the broker has not freed.
    var unreleased: [Chord] = []

    init(_ connection: BrokerConnection) { self.connection = connection }
  }

  /// The loop that waits for events. ``run()`` runs it, unless its owner does.
  public let loop: InputLoop
  /// Called when the broker has ended and freed a hotkey, which has no name any more: keep the ids.
  /// Without it, ``run()`` ends then, and a loop of your own reports nothing.
  public var didEnd: ((HotkeyID, ClientError) -> Void)?

  /// Called with the mode that Escape has left. ``enterMode(_:)`` says whether it can.
  public var didLeaveMode: ((String) -> Void)?

  /// Connects to the broker. Tests replace it.
  var connect: () throws(ClientError) -> BrokerConnection
  private var storedNames: NamedHotkeys<ClientError>?
  private var registrations: [HotkeyID: Registration] = [:]
  private var lines: [Line] = []
  private var lastID: UInt32 = 0
  private var failure: ClientError?

  /// With `loop`, which is run already, ``run()`` is not needed; set ``didEnd``. `path` is the
  /// broker's socket. The first registration connects to it.
  public init(on loop: InputLoop? = nil, path: String? = nil) throws(ClientError) {
    if let loop {
      self.loop = loop
    } else {
      do {
        self.loop = try InputLoop()
      } catch {
        throw .system(error.code)
      }
    }
    connect = { () throws(ClientError) in try BrokerConnection(path: path) }
  }

  deinit {
    for line in lines {
      loop.unwatch(line.connection.descriptor)
      line.connection.close()
    }
  }

  /// The text of each hotkey, as the broker writes it.
  public var hotkeys: [HotkeyID: String] { registrations.mapValues(\.chord.text) }

  /// Calls `handler` whenever `hotkey` (docs/hotkeys.md) is pressed, held and released.
  ///
  /// - Parameters:
  ///   - mode: the mode it works in; without one it works while no mode is entered.
  ///   - consuming: whether the desktop does not get its keys, which needs the tier post.
  /// - Throws: ``ClientError/hotkeyTaken(_:holder:conflict:)``, ``ClientError/hotkeyCouldType(_:advice:)``
  ///   and others.
  @discardableResult
  public func register(
    _ hotkey: String, mode: String? = nil, consuming: Bool = false, _ handler: @escaping Handler
  ) throws(ClientError) -> HotkeyID {
    let method = consuming ? "ConsumeHotkey" : "RegisterHotkey"
    let wish = JSON.hotkeyWish(hotkey, mode: mode)
    return try register([(hotkey: hotkey, mode: mode)], by: method, wish, handler)[0]
  }

  /// Registers several hotkeys: all of them, or none. The ids have the same order.
  @discardableResult
  public func register(
    _ hotkeys: [String], mode: String? = nil, consuming: Bool = false, _ handler: @escaping Handler
  ) throws(ClientError) -> [HotkeyID] {
    try register(hotkeys.map { ($0, mode: mode) }, consuming: consuming, handler)
  }

  /// Registers hotkeys of several modes: all of them, or none.
  @discardableResult
  public func register(
    _ hotkeys: [(hotkey: String, mode: String?)], consuming: Bool = false,
    _ handler: @escaping Handler
  ) throws(ClientError) -> [HotkeyID] {
    let method = consuming ? "ConsumeHotkeys" : "RegisterHotkeys"
    let wishes = hotkeys.map { JSON.hotkeyWish($0.hotkey, mode: $0.mode) }
    return try register(hotkeys, by: method, ["hotkeys": .array(wishes)], handler)
  }

  private func register(
    _ hotkeys: [(hotkey: String, mode: String?)], by method: String, _ wish: JSON,
    _ handler: @escaping Handler
  ) throws(ClientError) -> [HotkeyID] {
    let connection = try connect()
    try connection.follow("org.gliss.Broker." + method, wish)
    let answer: JSON
    do throws(ClientError) { answer = try connection.first() } catch {
      throw naming(error, hotkeys.map { $0.mode })
    }
    // a call for a single hotkey is not answered with a list
    let registered = answer["registered"]
    let texts = registered?.strings ?? [registered?.string].compactMap(\.self)
    guard texts.count == hotkeys.count else {
      throw connection.broken("of \(hotkeys.count) hotkeys \(texts.count) were registered")
    }
    let line = Line(connection)
    do {
      try loop.watch(connection.descriptor) { [weak self] in self?.receive(on: line) }
    } catch {
      throw .system(error.code)
    }
    lines.append(line)
    return zip(texts, hotkeys).map { add(Chord(text: $0, mode: $1.mode), to: line, handler) }
  }

  /// The error with this program's own hotkey and its name, if that is in the way: the broker knows
  /// no names.
  private func naming(_ error: ClientError, _ modes: [String?]) -> ClientError {
    guard case .hotkeyTaken(let text, _, _) = error, let taken = try? Hotkey(text) else {
      return error
    }
    let own = registrations.filter { _, registration in
      guard modes.contains(registration.chord.mode) else { return false }
      return (try? Hotkey(registration.chord.text))?.conflicts(with: taken) ?? false
    }
    guard let holder = own.min(by: { $0.key < $1.key })?.value else { return error }
    return .hotkeyTaken(
      text, holder: "this program" + (holder.name.map { ", as \($0)" } ?? ""),
      conflict: holder.chord.text)
  }

  private func add(_ chord: Chord, to line: Line, _ handler: @escaping Handler) -> HotkeyID {
    lastID += 1
    let id = HotkeyID(rawValue: lastID)
    registrations[id] = Registration(chord: chord, line: line, handler: handler)
    line.ids.append(id)
    line.past.insert(chord)
    return id
  }

  /// Registers a named hotkey, if possible over the connection of another one with the same needs.
  private func registerNamed(
    _ hotkey: Hotkey, _ name: Hotkey.Name, _ terms: NamedHotkeys<ClientError>.Terms,
    _ handler: @escaping Handler
  ) throws(ClientError) -> HotkeyID {
    let needs = [
      terms.consuming ? Scope(tier: .post) : nil,
      Scope.needed(typesNothing: hotkey.typesNothing, isTap: hotkey.isTap),
    ]
    let chord = Chord(text: "\(hotkey)", mode: terms.mode)
    release()
    if let line = lines.first(where: { $0.needs == needs && !$0.past.contains(chord) }),
      let id = try register(chord, consuming: terms.consuming, over: line, handler)
    {
      registrations[id]?.name = name
      return id
    }
    let id = try register(chord.text, mode: terms.mode, consuming: terms.consuming, handler)
    registrations[id]?.line.needs = needs
    registrations[id]?.name = name
    return id
  }

  /// - Returns: `nil` if the line has just ended, or if its hotkeys rest on other grants.
  private func register(
    _ chord: Chord, consuming: Bool, over line: Line, _ handler: @escaping Handler
  ) throws(ClientError) -> HotkeyID? {
    guard let other = line.ids.lazy.compactMap({ self.registrations[$0]?.chord }).first else {
      return nil
    }
    let connection = try connect()
    defer { connection.close() }
    do throws(ClientError) {
      let text = try connection.addHotkey(chord, consuming: consuming, beside: other)
      return add(Chord(text: text, mode: chord.mode), to: line, handler)
    } catch .invalidParameter {
      return nil
    } catch {
      throw naming(error, [chord.mode])
    }
  }

  /// Unregisters the hotkey, and reports its release if it is held. Returns `false` if it is not
  /// registered. A handler may call this.
  @discardableResult
  public func unregister(_ id: HotkeyID) -> Bool { unregister([id]) == 1 }

  /// Unregisters several at once, and returns how many were registered. Others that were registered
  /// with them stay.
  @discardableResult
  public func unregister(_ ids: [HotkeyID]) -> Int {
    let given = ids.compactMap { id in registrations.removeValue(forKey: id).map { (id, $0) } }
    if given.isEmpty { return 0 }
    for (_, registration) in given { registration.line.unreleased.append(registration.chord) }
    release()
    for (id, registration) in given {
      storedNames?.forget(id)
      forget(registration, id)
    }
    return given.count
  }

  /// Frees hotkeys at once, because the broker notices the end of a connection only later. If it
  /// does not answer, the next call retries. An ended connection's hotkeys are free anyway.
  private func release() {
    let chords = lines.flatMap(\.unreleased)
    if chords.isEmpty { return }
    guard let connection = try? connect() else { return }
    defer { connection.close() }
    do throws(ClientError) {
      try connection.release(chords)
    } catch .invalidParameter {
      // asking again would not help
    } catch {
      return
    }
    for line in lines { line.unreleased = [] }
  }

  /// As ``BrokerConnection/enterMode(_:)``. If Escape does not leave the mode, register a hotkey
  /// that does.
  @discardableResult
  public func enterMode(_ mode: String?) throws(ClientError) -> Bool? {
    let connection = try connect()
    defer { connection.close() }
    return try connection.enterMode(mode)
  }

  /// Runs the loop until it is stopped or, without ``didEnd``, until a hotkey ends.
  /// Register that one again before you call this again.
  public func run() throws(ClientError) {
    while !loop.isStopping, failure == nil {
      do {
        try loop.wait(until: nil)
      } catch {
        throw .system(error.code)
      }
    }
    if let failure {
      self.failure = nil
      throw failure
    }
    loop.resume()
  }

  /// Makes ``run()`` return. From another thread or a signal handler, use the ``handle``.
  public func stop() { loop.stop() }

  /// What another thread or a signal handler keeps to stop this.
  public var handle: InputLoop.Handle { loop.handle }

  private func forget(_ registration: Registration, _ id: HotkeyID) {
    let line = registration.line
    line.ids.removeAll { $0 == id }
    if line.ids.isEmpty {
      loop.unwatch(line.connection.descriptor)
      line.connection.close()
      lines.removeAll { $0 === line }
    }
    guard registration.isHeld else { return }
    // its release can no longer come
    registration.handler(
      HotkeyEvent(
        time: InputLoop.now, device: DeviceID(rawValue: 0), hotkey: id, phase: .released,
        shouldAct: false))
  }

  private func receive(on line: Line) {
    do {
      // a handler may have unregistered them
      while !line.ids.isEmpty, let answer = try line.connection.next(timeout: .zero) {
        try report(answer, on: line)
      }
    } catch {
      // hotkeys that a handler registers from now on need another connection
      line.needs = nil
      for id in line.ids {
        guard let registration = registrations.removeValue(forKey: id) else { continue }
        storedNames?.forget(id)
        forget(registration, id)
        if let didEnd { didEnd(id, error) } else { failure = failure ?? error }
      }
    }
  }

  private func report(_ answer: JSON, on line: Line) throws(ClientError) {
    if let mode = answer["left"]?.string { didLeaveMode?(mode) }
    guard let object = answer["event"] else { return }
    let chord = Chord(text: object["hotkey"]?.string ?? "", mode: object["mode"]?.string)
    var decoder = EventDecoder()
    let event: GlobalEvent?
    do {
      event = try decoder.decode(object)
    } catch {
      throw line.connection.broken("\(error)")
    }
    // an event may still come for a hotkey that was unregistered
    guard case .input(.hotkey(var hotkey), _)? = event,
      let id = line.ids.first(where: { registrations[$0]?.chord == chord }),
      let registration = registrations[id]
    else { return }
    hotkey.hotkey = id
    registrations[id]?.isHeld = hotkey.phase != .released
    registration.handler(hotkey)
  }
}

extension RemoteHotkeys: NamesHotkeys {
  /// Hotkeys with names. Those that need the same grants share a connection. Consuming ones need
  /// the tier post.
  public var named: NamedHotkeys<ClientError> {
    if let storedNames { return storedNames }
    let named = NamedHotkeys<ClientError>(
      parse: { (text) throws(ClientError) in try Self.parse(text) },
      register: { [weak self] (hotkey, name, terms, handler) throws(ClientError) in
        guard let self else { throw .closed }
        return try registerNamed(hotkey, name, terms, handler)
      },
      unregister: { [weak self] in self?.unregister($0) },
      isLimit: { if case .limitReached = $0 { true } else { false } })
    storedNames = named
    return named
  }

  private static func parse(_ text: String) throws(ClientError) -> Hotkey {
    do throws(HotkeyError) {
      return try Hotkey(text)
    } catch {
      switch error {
      case .syntax(let mistake):
        let (offset, length) = mistake.scalars
        throw .invalidHotkey(offset: offset, length: length, message: "\(mistake)")
      case .taken, .notConsumable: throw .refused("\(error)", advice: nil)
      }
    }
  }
}
