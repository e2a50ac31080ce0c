import Glibc
package import GlissAgent
import GlissConfiguration
package import GlissDevices
import GlissEvents

/// The backend of the global shortcuts portal. It connects the bus, the input and the user.
package final class PortalServer {
  private let store: ShortcutStore
  private let asking: [String]
  private let log: AgentLog
  private let feed: TriggerFeed
  private let bus: Bus
  private let signals: SignalQueue
  private let watch: FolderWatch
  private var settling: LoopTimer?
  private var machine: PortalMachine
  private var interests: [BusInterest] = []
  private var calls: [PortalMachine.Call: (call: BusCall, arrival: EventTime)] = [:]
  private var held: [(due: EventTime, call: PortalMachine.Call, reply: PortalReply)] = []
  private var answering: LoopTimer?
  private var lastCall = 0
  /// The unique name of the portal, which alone may call.
  private var portal: String?
  private var dialog: DialogProcess?
  private var queue: [PortalAction] = []
  private var isPerforming = false
  private var isFollowing = false
  private var loggedProblems: Set<String> = []
  private var failure: SystemError?
  /// Whether the file of answers was read, so that it is known what the user has denied.
  private var knowsAnswers = false
  /// The answers that the file had when it was read.
  private var saved = ShortcutAnswers()
  /// Answers that the file could not take yet.
  private var unsaved: [(answer: ShortcutAnswers.Answer, application: String)] = []

  private static let patience = EventInterval.milliseconds(5000)
  /// Applications such as CopyQ listen for the answer only after the portal has acknowledged their
  /// call.
  private static let earliestAnswer = EventInterval.milliseconds(30)

  /// With the session bus, the broker's socket, and the command that asks the user.
  package init(
    bus address: String, route: AgentOptions.Route, socket: String, store: ShortcutStore,
    dialog: [String], log: AgentLog
  ) throws {
    let feed = try TriggerFeed(route: route, socket: socket, log: log)
    guard let bus = Bus(address) else {
      throw SystemError("the session bus", "\(address) cannot be reached")
    }
    (self.store, asking, self.log, self.feed, self.bus) = (store, dialog, log, feed, bus)
    signals = try SignalQueue([SIGTERM, SIGINT], unlessIgnored: [SIGHUP])
    watch = FolderWatch(on: feed.loop)
    machine = PortalMachine(ShortcutAnswers())
    try connect()
  }

  private func connect() throws(SystemError) {
    settling = try LoopTimer(on: feed.loop) { [unowned self] in reload() }
    answering = try LoopTimer(on: feed.loop) { [unowned self] in answerHeld() }
    signal(SIGPIPE, SIG_IGN)
    try feed.loop.watch(signals.descriptor) { [unowned self] in
      while signals.next() != nil { feed.stop() }
    }
    try bus.attach(to: feed.loop) { [unowned self] in
      log.report(.notice, "the session bus has gone")
      feed.stop()
    }
    feed.didTrigger = { [unowned self] in
      perform(machine.triggered($0, hasBegun: $1, at: $2))
    }
    feed.didChange = { [unowned self] in feedChanged() }
    watch.didChange = { [unowned self] in
      // an editor may write a file in several steps, so wait a little
      settling?.due = InputLoop.now + .milliseconds(100)
    }
  }

  /// Serves until a signal comes or the bus is gone.
  package func run() throws(SystemError) {
    reload()
    try listen()
    try feed.run()
    perform(machine.end())
    for reply in held { answer(reply.call, reply.reply) }
    bus.flush()
    if let failure { throw failure }
  }

  // MARK: The bus

  /// Takes the name only when the portal's is known. The call that started this process waits for
  /// the name, so its sender can be recognized then.
  private func listen() throws(SystemError) {
    try keep(
      bus.serveTree(PortalInterface.path) { [unowned self] in take($0) },
      bus.listenForOwner(of: PortalInterface.portal) { [unowned self] in portalChanged(to: $0) },
      bus.findOwner(of: PortalInterface.portal, within: Self.patience) { [unowned self] owner in
        portalChanged(to: owner)
        do throws(SystemError) { try takeName() } catch { fail(error) }
      })
  }

  private func takeName() throws(SystemError) {
    try keep(
      bus.requestName(PortalInterface.busName, within: Self.patience) { [unowned self] answer in
        switch answer {
        case .owned: log.report(.notice, "serves global shortcuts, by the \(feed.route)")
        case .taken:
          fail(
            SystemError(
              "gliss portal serve", "runs already: another process has \(PortalInterface.busName)"))
        case .refused(let error): fail(SystemError(PortalInterface.busName, error))
        }
      })
  }

  private func keep(_ added: BusInterest?...) throws(SystemError) {
    for interest in added {
      guard let interest else {
        throw SystemError("the session bus", "it does not take what a service says")
      }
      interests.append(interest)
    }
  }

  private func fail(_ error: SystemError) {
    failure = failure ?? error
    feed.stop()
  }

  private func portalChanged(to owner: String?) {
    guard owner != portal else { return }
    portal = owner
    // the sessions belonged to the portal that is gone
    perform(machine.portalLeft())
  }

  private func take(_ call: BusCall) {
    if answersStandardCall(call) { return }
    guard let portal, call.sender == portal else { return call.fail(.accessDenied) }
    lastCall += 1
    machine.advance(to: InputLoop.now)
    do throws(CallError) {
      let actions = try actions(for: call, lastCall)
      calls[lastCall] = (call, InputLoop.now)
      perform(actions)
    } catch {
      call.fail(error)
    }
  }

  private func actions(for call: BusCall, _ number: Int) throws(CallError) -> [PortalAction] {
    switch (call.interface, call.member) {
    case (PortalInterface.shortcuts, "CreateSession"):
      let (path, application) = try call.arguments("oosa{sv}") {
        arguments -> (String, String)? in
        guard arguments.objectPath() != nil, let session = arguments.objectPath(),
          let application = arguments.string()
        else { return nil }
        return (session, application)
      }
      return machine.createSession(number, path, of: application)
    case (PortalInterface.shortcuts, "BindShortcuts"):
      let (request, session, requested) = try call.arguments("ooa(sa{sv})sa{sv}") {
        arguments -> (String, String, [RequestedShortcut])? in
        guard let request = arguments.objectPath(), let session = arguments.objectPath() else {
          return nil
        }
        return (request, session, arguments.requestedShortcuts())
      }
      return machine.bind(number, request: request, session: session, requested)
    case (PortalInterface.shortcuts, "ListShortcuts"):
      let session = try call.arguments("oo") { arguments in
        arguments.objectPath() == nil ? nil : arguments.objectPath()
      }
      return machine.list(number, session: session)
    case (PortalInterface.shortcuts, "ConfigureShortcuts"):
      let session = try call.arguments("osa{sv}") { $0.objectPath() }
      return machine.configure(number, session: session)
    case (PortalInterface.request, "Close"):
      return machine.closeRequest(call.path) + [.reply(number, .nothing)]
    case (PortalInterface.session, "Close"):
      return machine.closeSession(call.path) + [.reply(number, .nothing)]
    case _: throw .unknownMethod
    }
  }

  /// Properties and introspection, which reveal nothing and are for everyone.
  private func answersStandardCall(_ call: BusCall) -> Bool {
    let isMain = call.path == PortalInterface.path
    switch (call.interface, call.member) {
    case (PortalInterface.introspectable, "Introspect"):
      call.answer { $0.append(isMain ? PortalInterface.introspection : "<node/>") }
    case (PortalInterface.properties, "Get"):
      let asked = call.read { arguments in [arguments.string(), arguments.string()] } ?? []
      guard asked.last == "version", let version = version(of: asked.first ?? nil, at: call.path)
      else {
        call.fail(.unknownProperty)
        return true
      }
      call.answer { reply in reply.append("v", "u") { reply.append(version) } }
    case (PortalInterface.properties, "GetAll"):
      let version = version(of: call.read { $0.string() } ?? nil, at: call.path)
      call.answer { reply in
        reply.append("a", "{sv}") {
          version.map { version in reply.appendEntry("version", "u") { reply.append(version) } }
            ?? true
        }
      }
    case _: return false
    }
    return true
  }

  private func version(of interface: String?, at path: String) -> UInt32? {
    switch interface {
    case PortalInterface.shortcuts where path == PortalInterface.path: PortalInterface.version
    case PortalInterface.session where machine.hasSession(path): 1
    case _: nil
    }
  }

  // MARK: What is to be done

  /// Performs actions in order. Those that an action causes are queued behind it.
  private func perform(_ actions: [PortalAction]) {
    queue += actions
    guard !isPerforming else { return }
    isPerforming = true
    while !queue.isEmpty { perform(queue.removeFirst()) }
    isPerforming = false
    bus.continueSending()
  }

  private func perform(_ action: PortalAction) {
    switch action {
    case .reply(let call, .nothing): answer(call, .nothing)
    case .reply(let call, let reply): hold(reply, to: call)
    case .ask(let question): ask(question)
    case .dismiss: dialog = nil
    case .remember(let answers, let application): remember(answers, of: application)
    case .follow(let triggers): follow(triggers)
    case .activated(let session, let id, let time):
      emit("Activated", session) { Self.fill($0, id, time) }
      log.report(.info, "\(id) of \(session) begins")
    case .deactivated(let session, let id, let time):
      emit("Deactivated", session) { Self.fill($0, id, time ?? InputLoop.now) }
    case .closed(let session):
      emit("Closed", at: session, PortalInterface.session) { _ in true }
    case .changed(let session):
      let shortcuts = machine.shortcuts(of: session)
      emit("ShortcutsChanged", session) { $0.append(shortcuts) }
    }
  }

  /// Answers a call once it is `earliestAnswer` old.
  private func hold(_ reply: PortalReply, to number: Int) {
    guard let arrival = calls[number]?.arrival else { return }
    let due = arrival + Self.earliestAnswer
    guard InputLoop.now < due else { return answer(number, reply) }
    held.append((due, number, reply))
    answering?.due = held[0].due
  }

  private func answerHeld() {
    while let first = held.first, first.due <= InputLoop.now {
      held.removeFirst()
      answer(first.call, first.reply)
    }
    answering?.due = held.first?.due
    bus.continueSending()
  }

  private func answer(_ number: Int, _ reply: PortalReply) {
    guard let call = calls.removeValue(forKey: number)?.call else { return }
    if reply == .nothing { return call.answer() }
    var shortcuts: [ShortcutAnswers.Answer]?
    if case .shortcuts(let session) = reply { shortcuts = machine.shortcuts(of: session) }
    call.answer { message in
      message.append(reply.response)
        && message.append("a", "{sv}") {
          guard let shortcuts else { return true }
          return message.appendEntry("shortcuts", "a(sa{sv})") { message.append(shortcuts) }
        }
    }
  }

  /// Sends a signal to the portal only: others on the bus must not learn when a key is pressed.
  private func emit(
    _ name: String, _ session: String, _ fill: (borrowing BusMessage) -> Bool
  ) {
    emit(name, at: PortalInterface.path, PortalInterface.shortcuts) {
      $0.append(path: session) && fill($0)
    }
  }

  private func emit(
    _ name: String, at path: String, _ interface: String,
    _ fill: (borrowing BusMessage) -> Bool
  ) {
    guard let portal, let signal = bus.signal(path, interface, name, to: portal), fill(signal)
    else { return }
    bus.send(signal)
  }

  private static func fill(
    _ signal: borrowing BusMessage, _ id: String, _ time: EventTime
  ) -> Bool {
    signal.append(id) && signal.append(UInt64(clamping: time.microseconds / 1000))
      && signal.append("a", "{sv}") { true }
  }

  // MARK: The user

  private func ask(_ question: ConsentQuestion) {
    // the file has no answers for programs without an id
    guard knowsAnswers || question.application.isEmpty else {
      log.report(
        .warning,
        "\(question.application) is not asked about; fix \(store.path) first: it may hold a denial")
      queue += machine.answered(question.number, .later, wasShown: false)
      return
    }
    do throws(SystemError) {
      dialog = try DialogProcess(asking, question, on: feed.loop) {
        [unowned self] answer, status in
        dialog = nil
        if status == ConsentProcess.noDialog { reportNoDialog(question) }
        machine.advance(to: InputLoop.now)
        perform(machine.answered(question.number, answer, wasShown: status == 0))
      }
    } catch {
      log.report(.error, "the user cannot be asked: \(error)")
      reportNoDialog(question)
      queue += machine.answered(question.number, .later, wasShown: false)
    }
  }

  private func reportNoDialog(_ question: ConsentQuestion) {
    let application = question.application
    for row in question.rows where row.isNew && !application.isEmpty {
      log.report(
        .warning,
        "\(application) asks for a global shortcut, and there is no dialog to ask you with:"
          + " gliss shortcuts set \(application.quotedForShell) \(row.shortcut.id.quotedForShell) KEYS"
      )
    }
  }

  private func remember(_ answers: [ShortcutAnswers.Answer], of application: String) {
    for answer in answers {
      unsaved.removeAll { $0.application == application && $0.answer.id == answer.id }
      unsaved.append((answer, application))
    }
    save()
  }

  private func save() {
    do throws(ShortcutStore.Failure) {
      try store.update { complete(&$0) }
      var all = saved
      complete(&all)
      saved = all
      unsaved = []
      watch.follow(files: [store.path], folders: [])
    } catch {
      log.report(
        .error,
        "the answer is saved once the file can be changed, unless this process ends: \(error)")
    }
  }

  /// Adds what is not saved, except where the user has changed the file since.
  private func complete(_ answers: inout ShortcutAnswers) {
    for (answer, application) in unsaved
    where answers[application, answer.id] == saved[application, answer.id] {
      answers.set(answer, of: application)
    }
  }

  private func reload() {
    watch.follow(files: [store.path], folders: [])
    do throws(ShortcutStore.Failure) {
      var answers = try store.read()
      let read = answers
      knowsAnswers = true
      unsaved.removeAll {
        read[$0.application, $0.answer.id] != saved[$0.application, $0.answer.id]
      }
      complete(&answers)
      saved = read
      if !unsaved.isEmpty { save() }
      perform(machine.replaceAnswers(answers))
    } catch {
      log.report(.error, "\(error); the answers stay as they were")
    }
  }

  // MARK: Input

  private func follow(_ triggers: [Rule.Trigger]) {
    isFollowing = true
    feed.follow(triggers.map { (name: "the global shortcut \($0.words)", trigger: $0) })
    isFollowing = false
    queue += machine.note(unavailable: feed.missing, isAnswering: true)
    logProblems()
  }

  private func feedChanged() {
    guard !isFollowing else { return }
    perform(machine.note(unavailable: feed.missing, isAnswering: false))
    logProblems()
  }

  private func logProblems() {
    let problems = feed.problems
    loggedProblems.formIntersection(problems)
    for problem in problems where loggedProblems.insert(problem).inserted {
      log.report(.warning, problem)
    }
  }
}

extension PortalServer {
  package static func isOwned(_ name: String, on address: String?) -> Bool {
    address.flatMap { Bus($0) }?.hasOwner(of: name, within: patience) ?? false
  }
}
