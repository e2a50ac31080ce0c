package import GlissConfiguration
package import GlissEvents

/// What is to be done about something that happened.
package enum PortalAction: Hashable, Sendable {
  /// Answers a call, once.
  case reply(PortalMachine.Call, PortalReply)
  /// Shows a question to the user.
  case ask(ConsentQuestion)
  /// Takes back the question that is shown.
  case dismiss
  /// Keeps an application's answers, beside those that were kept before.
  case remember([ShortcutAnswers.Answer], of: String)
  /// Listens to these triggers from now on, and to no others.
  case follow([Rule.Trigger])
  /// `time` is `nil` if it ends for another reason than the user's hand.
  case activated(session: String, id: String, at: EventTime)
  case deactivated(session: String, id: String, at: EventTime?)
  /// The session ends, though its application has not closed it.
  case closed(session: String)
  /// The session's shortcuts have other triggers.
  case changed(session: String)
}

/// The answer to a call.
package enum PortalReply: Hashable, Sendable {
  /// The session exists now.
  case created
  /// The session's shortcuts, as they are when the reply is sent.
  case shortcuts(session: String)
  /// The user does not want it.
  case cancelled
  /// It cannot be had.
  case other
  /// For a call without a result.
  case nothing

  /// The number that the interface has for it.
  package var response: UInt32 {
    switch self {
    case .created, .shortcuts, .nothing: 0
    case .cancelled: 1
    case .other: 2
    }
  }
}

/// A shortcut as it is reported to an application.
package struct ShownShortcut: Hashable, Sendable {
  package var id: String
  package var description: String
  /// For the user; empty if nothing activates it now.
  package var trigger: String
}
