public import GlissEvents
public import GlissGestures
import GlissSession
import Synchronization

/// The events of live devices, for `for try await`: a separate thread reads the devices and
/// recognizes, from the first request for an event on.
///
/// At most ``capacity`` events wait to be taken. A task that falls further behind misses events;
/// ``Iterator/missedCount`` says how many. Cancelling the task ends the reading. Each iterator reads
/// the devices anew. Keys have the text of the keyboard layout, and repeat while they are held.
///
/// ```swift
/// for try await gesture in LiveDevices.gestures() where gesture.phase == .ended {
///   print(gesture.kind.name, gesture.fingers)
/// }
/// ```
public struct LiveEvents: AsyncSequence, Sendable {
  public typealias Element = InputEvent
  public typealias Failure = SystemError

  /// The most events that wait to be taken.
  public static let capacity = 1024

  fileprivate let mask: EventMask
  fileprivate let selection: DeviceSelection
  fileprivate let configuration: GestureConfiguration
  fileprivate let didRefuse: (@Sendable (RefusedDevice) -> Void)?
  fileprivate let didFindNone: (@Sendable () -> Void)?

  public func makeAsyncIterator() -> Iterator {
    let handle = HandleBox()
    return Iterator(
      ElementReader(
        capacity: Self.capacity, whenFull: .drop,
        begin: { intake in
          let code = BackgroundThread.start { read(into: intake, handle) }
          if code != 0 { intake.end(SystemError("thread", failed: code)) }
        }, stop: { handle.stop() }))
  }

  /// Reads on a thread of its own until it ends or its task is cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: ElementReader<InputEvent, SystemError>

    fileprivate init(_ reader: ElementReader<InputEvent, SystemError>) { self.reader = reader }

    /// How many events were dropped because ``LiveEvents/capacity`` others were waiting.
    public var missedCount: Int { reader.intake.missedCount }

    /// The next event; `nil` if all devices that were named are gone.
    ///
    /// - Throws: If devices cannot be listed, udev cannot be listened to, or waiting fails.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SystemError) -> InputEvent? {
      try await reader.next(isolation: actor)
    }
  }

  /// What ends the reading, as soon as it has begun.
  private final class HandleBox: Sendable {
    private let handle = Mutex<InputLoop.Handle?>(nil)

    func set(_ new: InputLoop.Handle) { handle.withLock { $0 = new } }
    func stop() { handle.withLock { $0 }?.stop() }
  }

  /// The session that recognizes. If keys are taken, they have the text of the layout.
  func makeSession() -> Session {
    let session = Session(configuration: configuration)
    if mask.contains(.key) { session.keyTranslator = try? XkbKeyTranslator() }
    return session
  }

  /// Reads on this thread, to the end.
  private func read(
    into intake: ElementReader<InputEvent, SystemError>.Intake, _ handle: HandleBox
  ) {
    do throws(SystemError) {
      let devices = try LiveDevices(selection)
      handle.set(devices.handle)
      // stopping had no effect before the handle was there
      guard !intake.isAbandoned else { return intake.end(nil) }
      devices.eventKinds = mask
      devices.didRefuse = didRefuse
      devices.didFindNone = didFindNone
      let session = makeSession()
      session.addHandler(matching: mask) { intake.offer($0) }
      try devices.run(into: session)
      intake.end(nil)
    } catch {
      intake.end(error)
    }
  }
}

extension LiveDevices {
  /// The events in `mask` of the devices of `selection`, for `for try await`.
  ///
  /// - Parameters:
  ///   - didRefuse: called on the reading thread for each device that cannot be read.
  ///   - didFindNone: called there once at the start if the seat has no device for `mask`. The
  ///     sequence then waits for one to be plugged in.
  public static func events(
    matching mask: EventMask = .all, of selection: DeviceSelection = .defaultSeat,
    configuration: GestureConfiguration = GestureConfiguration(),
    didRefuse: (@Sendable (RefusedDevice) -> Void)? = nil,
    didFindNone: (@Sendable () -> Void)? = nil
  ) -> LiveEvents {
    LiveEvents(
      mask: mask, selection: selection, configuration: configuration, didRefuse: didRefuse,
      didFindNone: didFindNone)
  }

  /// The gestures of the devices of `selection`, for `for try await`: ``LiveEvents`` without all
  /// other events.
  ///
  /// - Parameters:
  ///   - didRefuse: called on the reading thread for each device that cannot be read.
  ///   - didFindNone: called there once at the start if the seat has no touchpad or touchscreen. The
  ///     sequence then waits for one to be plugged in.
  public static func gestures(
    of selection: DeviceSelection = .defaultSeat,
    configuration: GestureConfiguration = GestureConfiguration(),
    didRefuse: (@Sendable (RefusedDevice) -> Void)? = nil,
    didFindNone: (@Sendable () -> Void)? = nil
  ) -> some AsyncSequence<GestureEvent, SystemError> & Sendable {
    events(
      matching: .gesture, of: selection, configuration: configuration, didRefuse: didRefuse,
      didFindNone: didFindNone
    ).compactMap { event in
      if case .gesture(let gesture) = event { gesture } else { nil }
    }
  }
}
