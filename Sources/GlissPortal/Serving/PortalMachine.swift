package import GlissConfiguration
package import GlissEvents

/// Sessions, their shortcuts, and what waits for the user's answer. It has no clock and no bus:
/// each method takes what has happened and returns what to do, in order. It never follows anything
/// that the user has not allowed.
package struct PortalMachine {
  /// A call to be answered, by the number that the server gave it.
  package typealias Call = Int

  private enum Limits {
    /// The most sessions of one application, or of one connection without an id, and of all.
    static let sessionsOfOne = 32
    static let sessions = 256
    static let shortcuts = 64
    /// The same for waiting questions.
    static let questionsOfOne = 4
    static let questions = 16
    /// How many questions of one application may end within `refusalsWithin` without allowing
    /// anything new. The limit for changes is higher, because the user mostly asked for them.
    static let refusals = 4
    static let refusedChanges = 16
    static let refusalsWithin = EventInterval.milliseconds(300_000)
  }

  private struct Session {
    var application: String
    /// What the application has bound, allowed or not.
    var requested: [RequestedShortcut] = []
    /// The answers for an application without an id. They end with the session.
    var own = ShortcutAnswers()
    /// The shortcuts that are pressed now, and their triggers.
    var active: [String: Rule.Trigger] = [:]
  }

  private struct Pending {
    typealias Bind = (call: Call, request: String, requested: [RequestedShortcut])

    var number: Int
    var session: String
    /// `nil` if the application asked the user to change its shortcuts.
    var bind: Bind?

    var isChange: Bool { bind == nil }
  }

  /// Identifies whose sessions and questions are counted together.
  private struct Owner: Hashable {
    var application: String
    /// The connection of an application without an id.
    var sender: Substring

    /// - Parameter session: a path such as `…/session/SENDER/TOKEN`.
    init(_ application: String, session: String) {
      self.application = application
      sender = application.isEmpty ? session.split(separator: "/").dropLast().last ?? "" : ""
    }
  }

  private typealias Refusal = (time: EventTime, isChange: Bool)

  private var sessions: [String: Session] = [:]
  /// The sessions' paths, in the order in which they were created.
  private var order: [String] = []
  /// The first of these is shown.
  private var waiting: [Pending] = []
  private var lastNumber = 0
  private var followed: [Rule.Trigger] = []
  private var now = EventTime.zero
  /// When an application's recent questions ended without anything allowed.
  private var refusals: [Owner: [Refusal]] = [:]
  package private(set) var answers: ShortcutAnswers
  /// Triggers that could not be registered, for instance because another program has them.
  private var unavailable: Set<Rule.Trigger> = []

  package init(_ answers: ShortcutAnswers) { self.answers = answers }

  package mutating func advance(to time: EventTime) { now = max(now, time) }

  // MARK: Calls

  package mutating func createSession(
    _ call: Call, _ path: String, of application: String
  ) -> [PortalAction] {
    let owner = Owner(application, session: path)
    let ofOne = order.count { self.owner($0) == owner }
    guard sessions[path] == nil, sessions.count < Limits.sessions, ofOne < Limits.sessionsOfOne,
      application.utf8.count <= RequestedShortcut.longestID,
      application == RequestedShortcut.line(application, atMost: RequestedShortcut.longestID)
    else { return [.reply(call, .other)] }
    sessions[path] = Session(application: application)
    order.append(path)
    return [.reply(call, .created)]
  }

  package mutating func bind(
    _ call: Call, request: String, session path: String, _ requested: [RequestedShortcut]
  ) -> [PortalAction] {
    guard let session = sessions[path], let requested = requested.checked(atMost: Limits.shortcuts),
      !waiting.contains(where: { $0.session == path || $0.bind?.request == request })
    else { return [.reply(call, .other)] }
    if requested.allSatisfy({ answer($0.id, in: session) != nil }) {
      return finish(call, path, requested)
    }
    if isRefused(path, isChange: false) { return keep(call, path, requested) }
    return ask(path, (call, request, requested)) ?? [.reply(call, .other)]
  }

  package func list(_ call: Call, session path: String) -> [PortalAction] {
    [.reply(call, sessions[path] == nil ? .other : .shortcuts(session: path))]
  }

  /// The application asks the user to change its shortcuts.
  package mutating func configure(_ call: Call, session path: String) -> [PortalAction] {
    guard !allowed(in: path).isEmpty, !isRefused(path, isChange: true),
      !waiting.contains(where: { $0.session == path })
    else { return [.reply(call, .nothing)] }
    return [.reply(call, .nothing)] + (ask(path, nil) ?? [])
  }

  package func hasSession(_ path: String) -> Bool { sessions[path] != nil }

  /// The application no longer wants an answer.
  package mutating func closeRequest(_ path: String) -> [PortalAction] {
    withdraw { $0.bind?.request == path }
  }

  package mutating func closeSession(_ path: String) -> [PortalAction] {
    guard sessions[path] != nil else { return [] }
    let withdrawn = withdraw { $0.session == path }
    sessions[path] = nil
    order.removeAll { $0 == path }
    return withdrawn + follow()
  }

  package mutating func portalLeft() -> [PortalAction] {
    let withdrawn = withdraw(isRefusal: false) { _ in true }
    sessions = [:]
    order = []
    return withdrawn + follow()
  }

  /// This backend ends. Applications are notified and may start over.
  package mutating func end() -> [PortalAction] {
    let open = order
    return open.map { .closed(session: $0) } + portalLeft()
  }

  // MARK: The user

  /// The user has answered the question with that number, or has put it off. If the question was
  /// not shown, that does not count as a refusal.
  package mutating func answered(
    _ number: Int, _ given: ConsentAnswer, wasShown: Bool = true
  ) -> [PortalAction] {
    guard let pending = waiting.first, pending.number == number else { return [] }
    waiting.removeFirst()
    var actions: [PortalAction] = []
    switch given {
    case .later:
      if wasShown { noteRefusal(of: pending) }
      actions += conclude(pending, isAnswered: false)
    case .answers(let list):
      if allowsMore(list, pending) {
        refusals[owner(pending.session)]?.removeAll { $0.isChange == pending.isChange }
      } else {
        noteRefusal(of: pending)
      }
      actions += take(list, for: pending)
      actions += conclude(pending, isAnswered: true)
    }
    return actions + next()
  }

  /// The answers were changed elsewhere: in the file, or by a command.
  package mutating func replaceAnswers(_ next: ShortcutAnswers) -> [PortalAction] {
    guard next != answers else { return [] }
    let before = answers
    answers = next
    return follow() + changes(since: before)
  }

  private mutating func take(_ list: [ShortcutAnswers.Answer], for pending: Pending)
    -> [PortalAction]
  {
    guard var session = sessions[pending.session] else { return [] }
    let before = answers
    let asked = Set(rows(of: pending).map(\.shortcut.id))
    // keep only what was asked and may be registered
    let taken = list.filter { asked.contains($0.id) && $0.trigger?.objection == nil }
    for answer in taken {
      if session.application.isEmpty {
        session.own.set(answer, of: "")
      } else {
        answers.set(answer, of: session.application)
      }
    }
    sessions[pending.session] = session
    if answers == before { return follow() }
    return [.remember(taken, of: session.application)] + follow() + changes(since: before)
  }

  private mutating func conclude(_ pending: Pending, isAnswered: Bool) -> [PortalAction] {
    if let bind = pending.bind {
      return isAnswered
        ? finish(bind.call, pending.session, bind.requested)
        : keep(bind.call, pending.session, bind.requested)
    }
    guard isAnswered, sessions[pending.session]?.application == "" else { return [] }
    return [.changed(session: pending.session)]
  }

  /// The user has not answered. The session gets the requested shortcuts that were allowed earlier;
  /// without any, the call is cancelled.
  private mutating func keep(
    _ call: Call, _ path: String, _ requested: [RequestedShortcut]
  ) -> [PortalAction] {
    guard let session = sessions[path] else { return [.reply(call, .other)] }
    let known = requested.filter { answer($0.id, in: session)?.trigger != nil }
    return known.isEmpty ? [.reply(call, .cancelled)] : finish(call, path, known)
  }

  /// All requested shortcuts have answers: the session has these shortcuts from now on.
  private mutating func finish(
    _ call: Call, _ path: String, _ requested: [RequestedShortcut]
  ) -> [PortalAction] {
    guard sessions[path] != nil else { return [.reply(call, .other)] }
    sessions[path]?.requested = requested
    let isAllowed = requested.isEmpty || !allowed(in: path).isEmpty
    return follow() + [.reply(call, isAllowed ? .shortcuts(session: path) : .cancelled)]
  }

  // MARK: Questions

  /// Whether the user has had enough of an application's questions for now.
  private func isRefused(_ path: String, isChange: Bool) -> Bool {
    let count = (refusals[owner(path)] ?? []).count { $0.isChange == isChange && isRecent($0) }
    return count >= (isChange ? Limits.refusedChanges : Limits.refusals)
  }

  private func owner(_ path: String) -> Owner {
    Owner(sessions[path]?.application ?? "", session: path)
  }

  /// Keeping what was allowed does not entitle the application to ask again.
  private func allowsMore(_ list: [ShortcutAnswers.Answer], _ pending: Pending) -> Bool {
    guard let session = sessions[pending.session] else { return false }
    return list.contains { given in
      guard let trigger = given.trigger, trigger.objection == nil else { return false }
      return answer(given.id, in: session)?.trigger != trigger
    }
  }

  private func isRecent(_ refusal: Refusal) -> Bool {
    now - refusal.time < Limits.refusalsWithin
  }

  private mutating func noteRefusal(of pending: Pending) {
    refusals = refusals.mapValues { $0.filter(isRecent) }.filter { !$0.value.isEmpty }
    refusals[owner(pending.session), default: []].append((now, pending.isChange))
  }

  /// - Returns: `nil` if too many questions wait.
  private mutating func ask(_ path: String, _ bind: Pending.Bind?) -> [PortalAction]? {
    let ofOne = waiting.count { owner($0.session) == owner(path) }
    guard waiting.count < Limits.questions, ofOne < Limits.questionsOfOne else { return nil }
    lastNumber += 1
    let pending = Pending(number: lastNumber, session: path, bind: bind)
    waiting.append(pending)
    return waiting.count == 1 ? [.ask(question(for: pending))] : []
  }

  /// Shows the next question, but not one whose shortcuts an earlier answer covers.
  private mutating func next() -> [PortalAction] {
    var actions: [PortalAction] = []
    while let pending = waiting.first {
      let isNeeded = pending.isChange || rows(of: pending).contains(where: \.isNew)
      if isNeeded, !isRefused(pending.session, isChange: pending.isChange) {
        return actions + [.ask(question(for: pending))]
      }
      waiting.removeFirst()
      actions += conclude(pending, isAnswered: !isNeeded)
    }
    return actions
  }

  private mutating func withdraw(
    isRefusal: Bool = true, _ matches: (Pending) -> Bool
  ) -> [PortalAction] {
    let shown = waiting.first
    let replies: [PortalAction] = waiting.filter(matches).compactMap { pending in
      pending.bind.map { .reply($0.call, .other) }
    }
    waiting.removeAll(where: matches)
    guard let shown, matches(shown) else { return replies }
    if isRefusal { noteRefusal(of: shown) }
    return [.dismiss] + replies + next()
  }

  private func question(for pending: Pending) -> ConsentQuestion {
    ConsentQuestion(
      number: pending.number, application: sessions[pending.session]?.application ?? "",
      isChange: pending.isChange, rows: rows(of: pending))
  }

  /// The rows of a question: the new shortcuts, and those with an answer.
  private func rows(of pending: Pending) -> [ConsentQuestion.Row] {
    guard let session = sessions[pending.session] else { return [] }
    return (pending.bind?.requested ?? session.requested).map { shortcut in
      let known = answer(shortcut.id, in: session)
      return ConsentQuestion.Row(
        shortcut: shortcut, isNew: known == nil,
        trigger: known == nil ? PreferredTrigger.trigger(shortcut.preferred) : known?.trigger)
    }
  }

  private func answer(_ id: String, in session: Session) -> ShortcutAnswers.Answer? {
    session.application.isEmpty ? session.own["", id] : answers[session.application, id]
  }

  // MARK: Triggers

  private func allowed(in path: String) -> [(shortcut: RequestedShortcut, trigger: Rule.Trigger)] {
    guard let session = sessions[path] else { return [] }
    return session.requested.compactMap { shortcut in
      // a trigger in the file might be one that may not be registered
      guard let trigger = answer(shortcut.id, in: session)?.trigger, trigger.objection == nil else {
        return nil
      }
      return (shortcut, trigger)
    }
  }

  /// The allowed shortcuts; one that nothing activates now has no trigger.
  package func shortcuts(of path: String) -> [ShortcutAnswers.Answer] {
    allowed(in: path).map { shortcut, trigger in
      ShortcutAnswers.Answer(
        id: shortcut.id, description: shortcut.description,
        trigger: unavailable.contains(trigger) ? nil : trigger)
    }
  }

  /// Follows the triggers that the sessions now have. Ends shortcuts that lost theirs.
  private mutating func follow() -> [PortalAction] {
    var wanted: [Rule.Trigger] = []
    var actions: [PortalAction] = []
    for path in order {
      let allowed = allowed(in: path)
      for (_, trigger) in allowed where !wanted.contains(trigger) { wanted.append(trigger) }
      for (id, trigger) in (sessions[path]?.active ?? [:]).sorted(by: { $0.key < $1.key })
      where !allowed.contains(where: { $0.shortcut.id == id && $0.trigger == trigger }) {
        actions += deactivate(id, in: path, at: nil)
      }
    }
    guard wanted != followed else { return actions }
    followed = wanted
    return actions + [.follow(wanted)]
  }

  package mutating func triggered(
    _ trigger: Rule.Trigger, hasBegun: Bool, at time: EventTime
  ) -> [PortalAction] {
    var actions: [PortalAction] = []
    for path in order {
      for (shortcut, own) in allowed(in: path) where own == trigger {
        if !hasBegun {
          actions += deactivate(shortcut.id, in: path, at: time)
        } else if sessions[path]?.active.updateValue(trigger, forKey: shortcut.id) == nil {
          actions.append(.activated(session: path, id: shortcut.id, at: time))
        }
      }
    }
    return actions
  }

  /// These triggers cannot act now; all others can. If `isAnswering`, the reply that follows tells
  /// the application; otherwise a signal does.
  package mutating func note(
    unavailable next: Set<Rule.Trigger>, isAnswering: Bool
  ) -> [PortalAction] {
    let different = unavailable.symmetricDifference(next)
    unavailable = next
    if isAnswering { return [] }
    return order.filter { path in
      allowed(in: path).contains { different.contains($0.trigger) }
    }.map { .changed(session: $0) }
  }

  private mutating func deactivate(
    _ id: String, in path: String, at time: EventTime?
  ) -> [PortalAction] {
    guard sessions[path]?.active.removeValue(forKey: id) != nil else { return [] }
    return [.deactivated(session: path, id: id, at: time)]
  }

  /// Sessions whose shortcuts differ from what they were with other answers.
  private func changes(since before: ShortcutAnswers) -> [PortalAction] {
    order.filter { path in
      // the answers to a program without an id are kept in its session
      guard let session = sessions[path], !session.application.isEmpty else { return false }
      return session.requested.contains { shortcut in
        before[session.application, shortcut.id]?.trigger
          != answer(shortcut.id, in: session)?.trigger
      }
    }.map { .changed(session: $0) }
  }
}

package enum PortalAction: Hashable, Sendable {
  case reply(PortalMachine.Call, PortalReply)
  case ask(ConsentQuestion)
  case dismiss
  /// Saves an application's answers, in addition to its earlier ones.
  case remember([ShortcutAnswers.Answer], of: String)
  /// Listens to these triggers only, from now on.
  case follow([Rule.Trigger])
  /// `time` is `nil` if something other than the user's hand ends it.
  case activated(session: String, id: String, at: EventTime)
  case deactivated(session: String, id: String, at: EventTime?)
  /// The session ends, although its application has not closed it.
  case closed(session: String)
  /// The session's shortcuts have other triggers.
  case changed(session: String)
}

package enum PortalReply: Hashable, Sendable {
  case created
  /// The session's shortcuts, as they are when the reply is sent.
  case shortcuts(session: String)
  case cancelled
  case other
  case nothing

  package var response: UInt32 {
    switch self {
    case .created, .shortcuts, .nothing: 0
    case .cancelled: 1
    case .other: 2
    }
  }
}
