import Gliss

/// Prints chords and strokes as they are made, until interrupted or until the requested number is
/// reached.
struct KeysListening {
  let printer: KeysPrinter
  let isTalkative: Bool
  /// Whether to mention that a broker might show more than the unreadable devices.
  var mayUseBroker = true

  /// - Returns: The exit status.
  func run(_ live: LiveDevices, seat: String?) throws(DeviceError) -> Int32 {
    let session = Session()
    let notices = DeviceNotices(
      mask: KeysPrinter.wanted, seat: seat, mayUseBroker: mayUseBroker, isTalkative: isTalkative)
    var status = ExitStatus.done
    var hasLooked = false
    let look = { [unowned live] in
      hasLooked = true
      switch notices.situation {
      case .reading: invite()
      case .refused:
        explainRefusal()
        status = ExitStatus.failed
        live.stop()
      case .empty: notices.explainEmptiness()
      }
    }
    live.wanted = KeysPrinter.wanted
    live.didAdd = { found, identifier in notices.add(found, identifier, session.device(identifier))
    }
    live.didRefuse = { notices.refuse($0) }
    live.didWarn = { notices.warn($0) }
    live.didRing = look
    live.alarm = .zero
    printer.didFinish = { [unowned live] in live.stop() }
    session.addHandler(matching: KeysPrinter.wanted) { printer.print($0) }
    try Interruption.tell(on: live.loop) { [unowned live] in live.stop() }
    Interruption.hideTyping()
    defer { Interruption.showTyping() }
    try live.run(into: session)
    // the run ends before the first look if all named devices were refused
    if !hasLooked { look() }
    return Interruption.toldStatus ?? status
  }

  /// Does the same through the broker.
  func run(_ monitor: GlobalEventMonitor) throws(DeviceError) -> Int32 {
    let loop = try EventLoop()
    var decoder = EventDecoder()
    var status = ExitStatus.done
    let take = {
      do throws(ClientError) {
        try monitor.take(with: &decoder) { event in
          if case .input(let event, _) = event { printer.print(event) }
        }
      } catch {
        Diagnostics.say("the broker reports nothing more: \(ClientErrorText.text(error))".printable)
        status = ExitStatus.failed
        loop.stop()
      }
    }
    printer.didFinish = { loop.stop() }
    try Interruption.tell(on: loop) { loop.stop() }
    try loop.watch(monitor.descriptor, take)
    Interruption.hideTyping()
    defer { Interruption.showTyping() }
    invite()
    // events that came with the first reply do not make the descriptor readable
    take()
    while !loop.isStopping { try loop.wait(until: nil) }
    loop.unwatch(monitor.descriptor)
    return Interruption.toldStatus ?? status
  }

  private func invite() {
    guard isTalkative else { return }
    Diagnostics.say("press a chord, or draw a stroke on the touchpad; Ctrl-C ends")
  }

  private func explainRefusal() {
    Diagnostics.say("no device can be read: 'gliss doctor' says what to do")
    guard mayUseBroker, BrokerAsking.isThere else { return }
    let program = (ClientArgument.ownProgram ?? "/usr/bin/gliss").quotedForShell
    Diagnostics.say(
      "a broker runs: with 'sudo gliss grants grant \(program) --tier raw --events gesture,key"
        + " --keys all' it shows them, and all that is typed")
  }
}
