public import GlissEvents
public import GlissGestures
import GlissSession
import Synchronization

/// The events of live devices. Each iterator reads the devices again.
struct LiveEvents: AsyncSequence, Sendable {
  /// The most events that wait to be taken.
  static let capacity = 1024

  let mask: EventMask
  var selection = DeviceSelection.defaultSeat
  var configuration = GestureConfiguration()
  var didRefuse: (@Sendable (RefusedDevice) -> Void)?
  var didFindNone: (@Sendable () -> Void)?
  var didMiss: (@Sendable (Int) -> Void)?

  func makeAsyncIterator() -> ElementReader<InputEvent, SystemError> {
    let handle = HandleBox()
    return ElementReader(
      capacity: Self.capacity,
      begin: { intake in
        let code = BackgroundThread.start { read(into: intake, handle) }
        if code != 0 { intake.end(SystemError("thread", failed: code)) }
      }, stop: { handle.stop() })
  }

  /// The handle that ends the reading, once it has begun.
  private final class HandleBox: Sendable {
    private let handle = Mutex<InputLoop.Handle?>(nil)

    func set(_ new: InputLoop.Handle) { handle.withLock { $0 = new } }
    func stop() { handle.withLock { $0 }?.stop() }
  }

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
      let session = Session(configuration: configuration)
      var missed = 0
      session.addHandler(matching: mask) { event in
        if intake.offerIfFree(event) { return }
        missed += 1
        didMiss?(missed)
      }
      try devices.run(into: session)
      intake.end(nil)
    } catch {
      intake.end(error)
    }
  }
}

extension LiveDevices {
  /// The events in `mask` of the devices of `selection`, for `for try await`. From the first
  /// request for an event on, a separate thread reads the devices and recognizes gestures.
  ///
  /// At most 1,024 events wait to be taken; a task that falls further behind misses events.
  /// Cancelling the task ends the reading. Keys have the text of the keyboard layout and repeat
  /// while they are held.
  ///
  /// - Parameters:
  ///   - didRefuse: called on the reading thread for each device that cannot be read. Without it,
  ///     the sequence throws the first reason if no device can be read at its start.
  ///   - didFindNone: called there once at the start if the seat has no device for `mask`. The
  ///     sequence then waits for one to be plugged in.
  ///   - didMiss: called there when the task misses an event, with the number it has missed so far.
  public static func events(
    matching mask: EventMask = .all, of selection: DeviceSelection = .defaultSeat,
    configuration: GestureConfiguration = GestureConfiguration(),
    didRefuse: (@Sendable (RefusedDevice) -> Void)? = nil,
    didFindNone: (@Sendable () -> Void)? = nil,
    didMiss: (@Sendable (_ count: Int) -> Void)? = nil
  ) -> some AsyncSequence<InputEvent, SystemError> & Sendable {
    LiveEvents(
      mask: mask, selection: selection, configuration: configuration, didRefuse: didRefuse,
      didFindNone: didFindNone, didMiss: didMiss)
  }

  /// The gestures of the devices of `selection`, for `for try await`: as
  /// ``events(matching:of:configuration:didRefuse:didFindNone:didMiss:)``, without other events.
  /// The parameters are the same.
  ///
  /// ```swift
  /// for try await gesture in LiveDevices.gestures() where gesture.phase == .ended {
  ///   print(gesture.kind.name, gesture.fingers)
  /// }
  /// ```
  public static func gestures(
    of selection: DeviceSelection = .defaultSeat,
    configuration: GestureConfiguration = GestureConfiguration(),
    didRefuse: (@Sendable (RefusedDevice) -> Void)? = nil,
    didFindNone: (@Sendable () -> Void)? = nil,
    didMiss: (@Sendable (_ count: Int) -> Void)? = nil
  ) -> some AsyncSequence<GestureEvent, SystemError> & Sendable {
    events(
      matching: .gesture, of: selection, configuration: configuration, didRefuse: didRefuse,
      didFindNone: didFindNone, didMiss: didMiss
    ).compactMap { $0.gesture }
  }
}
