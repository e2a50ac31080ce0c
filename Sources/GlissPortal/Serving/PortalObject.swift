import GlissDevices
import GlissEvents

/// The names and types of the interface, `org.freedesktop.impl.portal.GlobalShortcuts` version 2.
package enum PortalInterface {
  package static let busName = "org.freedesktop.impl.portal.desktop.gliss"
  package static let shortcuts = "org.freedesktop.impl.portal.GlobalShortcuts"
  static let request = "org.freedesktop.impl.portal.Request"
  static let session = "org.freedesktop.impl.portal.Session"
  static let properties = "org.freedesktop.DBus.Properties"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let path = "/org/freedesktop/portal/desktop"
  static let version: UInt32 = 2
  /// The portal itself, the only one that may call.
  package static let portal = "org.freedesktop.portal.Desktop"

  static let introspection = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
     <interface name="org.freedesktop.impl.portal.GlobalShortcuts">
      <method name="CreateSession">
       <arg type="o" name="handle" direction="in"/><arg type="o" name="session_handle" direction="in"/>
       <arg type="s" name="app_id" direction="in"/><arg type="a{sv}" name="options" direction="in"/>
       <arg type="u" name="response" direction="out"/><arg type="a{sv}" name="results" direction="out"/>
      </method>
      <method name="BindShortcuts">
       <arg type="o" name="handle" direction="in"/><arg type="o" name="session_handle" direction="in"/>
       <arg type="a(sa{sv})" name="shortcuts" direction="in"/>
       <arg type="s" name="parent_window" direction="in"/><arg type="a{sv}" name="options" direction="in"/>
       <arg type="u" name="response" direction="out"/><arg type="a{sv}" name="results" direction="out"/>
      </method>
      <method name="ListShortcuts">
       <arg type="o" name="handle" direction="in"/><arg type="o" name="session_handle" direction="in"/>
       <arg type="u" name="response" direction="out"/><arg type="a{sv}" name="results" direction="out"/>
      </method>
      <method name="ConfigureShortcuts">
       <arg type="o" name="session_handle" direction="in"/><arg type="s" name="parent_window" direction="in"/>
       <arg type="a{sv}" name="options" direction="in"/>
      </method>
      <signal name="Activated">
       <arg type="o" name="session_handle"/><arg type="s" name="shortcut_id"/>
       <arg type="t" name="timestamp"/><arg type="a{sv}" name="options"/>
      </signal>
      <signal name="Deactivated">
       <arg type="o" name="session_handle"/><arg type="s" name="shortcut_id"/>
       <arg type="t" name="timestamp"/><arg type="a{sv}" name="options"/>
      </signal>
      <signal name="ShortcutsChanged">
       <arg type="o" name="session_handle"/><arg type="a(sa{sv})" name="shortcuts"/>
      </signal>
      <property name="version" type="u" access="read"/>
     </interface>
    </node>
    """
}

/// A call of the portal's, read and checked.
enum PortalCall {
  case createSession(String, application: String)
  case bind(request: String, session: String, [RequestedShortcut])
  case list(session: String)
  case configure(session: String)
  case closeRequest(String)
  case closeSession(String)

  /// Why a call is not taken.
  enum Problem: Error {
    case unknownMethod
    case invalidArguments
  }

  /// More shortcuts than this are not read: the call is refused anyway.
  private static let most = 1000

  init(_ call: BusCall) throws(Problem) {
    switch (call.interface, call.member) {
    case (PortalInterface.shortcuts, "CreateSession"):
      self = try Self.read(call, "oosa{sv}") { arguments in
        guard arguments.objectPath() != nil, let session = arguments.objectPath(),
          let application = arguments.string()
        else { return nil }
        return .createSession(session, application: application)
      }
    case (PortalInterface.shortcuts, "BindShortcuts"):
      self = try Self.read(call, "ooa(sa{sv})sa{sv}") { arguments in
        guard let request = arguments.objectPath(), let session = arguments.objectPath() else {
          return nil
        }
        return .bind(request: request, session: session, Self.requested(arguments))
      }
    case (PortalInterface.shortcuts, "ListShortcuts"):
      self = try Self.read(call, "oo") { arguments in
        guard arguments.objectPath() != nil else { return nil }
        return arguments.objectPath().map { .list(session: $0) }
      }
    case (PortalInterface.shortcuts, "ConfigureShortcuts"):
      self = try Self.read(call, "osa{sv}") { arguments in
        arguments.objectPath().map { .configure(session: $0) }
      }
    case (PortalInterface.request, "Close"): self = .closeRequest(call.path)
    case (PortalInterface.session, "Close"): self = .closeSession(call.path)
    case _: throw .unknownMethod
    }
  }

  private static func read(
    _ call: BusCall, _ signature: String, _ body: (borrowing BusMessage) -> PortalCall?
  ) throws(Problem) -> PortalCall {
    guard call.hasArguments(signature), let read = call.read(body), let read else {
      throw .invalidArguments
    }
    return read
  }

  private static func requested(_ arguments: borrowing BusMessage) -> [RequestedShortcut] {
    var requested: [RequestedShortcut] = []
    _ = arguments.within("a", "(sa{sv})") { () -> Bool? in
      while requested.count <= most,
        let shortcut = arguments.within("r", "sa{sv}", { shortcut(arguments) })
      {
        requested.append(shortcut)
      }
      return true
    }
    return requested
  }

  private static func shortcut(_ arguments: borrowing BusMessage) -> RequestedShortcut? {
    guard let id = arguments.string() else { return nil }
    let values = arguments.dictionary()
    func text(_ name: String) -> String? {
      guard case .string(let text)? = values[name] else { return nil }
      return text
    }
    // with a hyphen in the wild, also in the portal's own tests
    return RequestedShortcut(
      id: id, description: text("description") ?? "",
      preferred: text("preferred_trigger") ?? text("preferred-trigger") ?? "")
  }
}

extension BusMessage {
  /// Appends shortcuts as `a(sa{sv})`.
  func append(_ shortcuts: [ShownShortcut]) -> Bool {
    append("a", "(sa{sv})") {
      shortcuts.allSatisfy { shortcut in
        append("r", "sa{sv}") {
          append(shortcut.id)
            && append("a", "{sv}") {
              appendEntry("description", "s") { append(shortcut.description) }
                && appendEntry("trigger_description", "s") { append(shortcut.trigger) }
            }
        }
      }
    }
  }
}
