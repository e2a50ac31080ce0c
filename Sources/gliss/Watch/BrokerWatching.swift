import Gliss

/// Prints events from the broker until interrupted.
final class BrokerWatching {
  private let monitor: GlobalEventMonitor
  private let format: EventFormat
  private let loop: EventLoop
  private let output: LiveOutput
  private let printer: EventPrinter
  private let end: EventTime?
  private var decoder = EventDecoder()
  private var devices: [DeviceID: Device] = [:]
  private var failure: ClientError?

  /// The smallest scope that covers all of `mask`.
  static func scope(for mask: EventMask) -> Scope {
    let events = mask.intersection(EventKinds.grantable)
    if events == .gesture { return Scope(tier: .gesture, events: .gesture) }
    return Scope(tier: .raw, events: events, keys: events.contains(.key) ? .all : [])
  }

  /// - Parameter isFound: Whether the broker was found without being named.
  init(
    _ monitor: GlobalEventMonitor, mask: EventMask, format: EventFormat, duration: EventInterval?,
    isFound: Bool
  ) throws(DeviceError) {
    self.monitor = monitor
    self.format = format
    loop = try EventLoop()
    output = LiveOutput(on: loop)
    let start = EventLoop.now
    end = duration.map { start + $0 }
    // the broker does not report a pad's size, so there is no picture
    printer = EventPrinter(
      file: nil, origin: format == .text ? start : .zero, format: format, mask: mask,
      wantsPicture: false, to: output)
    output.didClose = { [unowned self] in loop.stop() }
    try Interruption.tell(on: loop) { [unowned self] in loop.stop() }
    try loop.watch(monitor.descriptor) { [unowned self] in take() }
    if format == .text, isFound {
      Diagnostics.say("a broker runs: --devices reads the devices itself, and shows a picture")
    }
    if format == .text { Diagnostics.say("the broker tells events now; Ctrl-C ends") }
  }

  /// - Returns: The exit status.
  func run() throws(DeviceError) -> Int32 {
    // events that came with the first reply do not make the descriptor readable
    take()
    while !loop.isStopping {
      try loop.wait(until: end)
      if let end, end <= EventLoop.now { loop.stop() }
    }
    loop.unwatch(monitor.descriptor)
    printer.close(isWhole: false)
    let outcome = output.finish()
    if outcome != ExitStatus.done { return outcome }
    guard let failure else { return Interruption.toldStatus ?? ExitStatus.done }
    Diagnostics.say("the broker tells no more: \(ClientErrorText.text(failure))".printable)
    return ExitStatus.failed
  }

  private func take() {
    do throws(ClientError) {
      try monitor.take(with: &decoder) { print($0) }
    } catch {
      failure = error
      loop.stop()
    }
  }

  private func print(_ event: GlobalEvent) {
    switch event {
    case .input(let event, let name):
      let device = devices[event.device] ?? Device(id: event.device, name: name)
      devices[event.device] = device
      printer.print(event, from: device)
    case .session(let state, _):
      printer.note(event)
      say("session: \(state.rawValue)")
    case .lost(let count):
      printer.note(event)
      say("\(count) messages were left out: this was too slow")
    }
  }

  private func say(_ text: String) {
    if format == .text { Diagnostics.say(text) }
  }
}
