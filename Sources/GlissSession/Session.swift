public import GlissEvents
public import GlissGestures

/// Where one process's input meets: devices and their events in, gestures, touches and keys out.
///
/// A session has no clock, no descriptor and no thread. A ``Source`` feeds it and lets its time pass; its
/// handlers are called inline, and must not feed the session themselves.
public final class Session {
  /// An inline receiver of events.
  public typealias Handler = (InputEvent) -> Void

  private let configuration: GestureConfiguration
  private var pipelines: [DevicePipeline] = []
  private let outlet = Outlet()
  private var clock = RisingTime()
  /// The time of the last event as it came, and as it counts.
  private var stamp = EventTime(microseconds: .min)
  private var now = EventTime.zero

  /// A session without devices; `configuration` holds for all that are added.
  public init(configuration: GestureConfiguration = GestureConfiguration()) {
    self.configuration = configuration
  }

  /// Calls `handler` inline for every event that `mask` names, in the order of registration.
  public func addHandler(matching mask: EventMask = .all, _ handler: @escaping Handler) {
    outlet.add(handler, matching: mask)
  }

  /// Calls `handler` for every decision the recognizers take, with the evidence they took it on.
  public func addDecisionHandler(_ handler: @escaping (Decision) -> Void) {
    outlet.add(handler)
  }

  // MARK: Devices

  /// Makes `device` known; the session gives it its ``DeviceID``, which its events then carry.
  public func add(_ device: Device) -> DeviceID {
    var device = device
    device.id = DeviceID(rawValue: UInt32(pipelines.count))
    pipelines.append(DevicePipeline(device, configuration))
    return device.id
  }

  /// The device with that id, as it was added.
  public func device(_ id: DeviceID) -> Device? { pipeline(id)?.device }

  /// The device is gone, or its stream broke: everything it had begun is cancelled, its keys are released.
  public func remove(_ device: DeviceID, at time: EventTime) {
    now = clock.rise(time)
    pipeline(device)?.cancel(at: now, into: outlet)
  }

  private func pipeline(_ id: DeviceID) -> DevicePipeline? {
    let index = Int(id.rawValue)
    return index < pipelines.count ? pipelines[index] : nil
  }

  // MARK: Events

  /// One event of a device. Time that goes back a little stands still; where it goes back far it counts on from there
  /// (``RisingTime``).
  public func process(_ event: EvdevEvent, from device: DeviceID) {
    guard let pipeline = pipeline(device) else { return }
    var event = event
    if event.time != stamp {
      // most events of a packet bring no new time: what was due by then has been told
      stamp = event.time
      now = clock.rise(stamp)
      passDeadlines(until: now)
    }
    event.time = now
    pipeline.process(event, into: outlet)
  }

  /// When ``advance(to:)`` must be called if no event comes first.
  public var deadline: EventTime? {
    var earliest: EventTime?
    for pipeline in pipelines {
      guard let deadline = pipeline.deadline else { continue }
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }

  /// Lets time pass up to `time`: holds begin, waits end.
  public func advance(to time: EventTime) {
    now = clock.rise(time)
    passDeadlines(until: now)
  }

  private func passDeadlines(until time: EventTime) {
    while let due = deadline, due <= time {
      for pipeline in pipelines where pipeline.deadline == due {
        pipeline.advance(to: due, into: outlet)
      }
    }
  }

  /// The input is over: what is still touching is cancelled, what is still pressed is released.
  public func finish() {
    guard let now = clock.last else { return }
    for pipeline in pipelines { pipeline.cancel(at: now, into: outlet) }
  }
}
