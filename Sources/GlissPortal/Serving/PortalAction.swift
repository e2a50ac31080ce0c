package import GlissConfiguration
package import GlissEvents

/// The reaction to something that has happened.
package enum PortalAction: Hashable, Sendable {
  /// Answers a call, once.
  case reply(PortalMachine.Call, PortalReply)
  /// Shows a question to the user.
  case ask(ConsentQuestion)
  /// Withdraws the question that is shown.
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

/// The answer to a call.
package enum PortalReply: Hashable, Sendable {
  /// The session exists now.
  case created
  /// The session's shortcuts, as they are when the reply is sent.
  case shortcuts(session: String)
  /// The user declined.
  case cancelled
  /// It is impossible.
  case other
  /// For a call without a result.
  case nothing

  /// The interface's number for it.
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
  /// The trigger for the user to read; empty if nothing activates the shortcut now.
  package var trigger: String
}
