/// The protocols that list windows and say which is activated: the same events with other numbers.
enum ToplevelProtocol {
  /// wlr-foreign-toplevel-management-unstable-v1.
  case wlroots
  /// cosmic-toplevel-info-unstable-v1, in its version 1: later ones need a second protocol.
  case cosmic

  /// An event of a window. The others do not matter here.
  enum Event {
    case title
    case name
    case state
    /// What came before it is in force now.
    case done
    case closed
  }

  /// The element of the state that means the focus.
  static let activated: UInt32 = 2

  init?(interface: String) {
    switch interface {
    case Self.wlroots.interface: self = .wlroots
    case Self.cosmic.interface: self = .cosmic
    case _: return nil
    }
  }

  var interface: String {
    switch self {
    case .wlroots: "zwlr_foreign_toplevel_manager_v1"
    case .cosmic: "zcosmic_toplevel_info_v1"
    }
  }

  /// The version that is asked for. Later ones have nothing that is needed here.
  var version: UInt32 { 1 }

  func event(_ operation: UInt16) -> Event? {
    switch (self, operation) {
    case (.wlroots, 0), (.cosmic, 2): .title
    case (.wlroots, 1), (.cosmic, 3): .name
    case (.wlroots, 4), (.cosmic, 8): .state
    case (.wlroots, 5), (.cosmic, 1): .done
    case (.wlroots, 6), (.cosmic, 0): .closed
    case (.wlroots, _), (.cosmic, _): nil
    }
  }

  /// The request that ends a window's object.
  var destroy: UInt16 {
    switch self {
    case .wlroots: 7
    case .cosmic: 0
    }
  }
}
