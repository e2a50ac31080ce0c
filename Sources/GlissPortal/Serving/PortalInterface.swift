import GlissConfiguration
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
  /// The name of the portal itself, which alone may call.
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

/// Why a call is refused: an error of D-Bus.
struct CallError: Error {
  var name: String
  var text: String

  private init(_ name: String, _ text: String) {
    self.name = "org.freedesktop.DBus.Error." + name
    self.text = text
  }

  static let accessDenied = CallError(
    "AccessDenied", "only \(PortalInterface.portal) may call this: applications use that")
  static let unknownMethod = CallError("UnknownMethod", "there is no such method")
  static let unknownProperty = CallError("UnknownProperty", "there is no such property")
  static let invalidArguments = CallError("InvalidArgs", "it has other arguments")
}

extension BusCall {
  func fail(_ error: CallError) { fail(error.name, error.text) }

  func arguments<Arguments>(
    _ signature: String, _ read: (borrowing BusMessage) -> Arguments?
  ) throws(CallError) -> Arguments {
    guard hasArguments(signature), let found = self.read(read), let found else {
      throw .invalidArguments
    }
    return found
  }
}

extension BusMessage {
  /// Further shortcuts are not read, because the call is refused anyway.
  private static let mostShortcuts = 1000

  func requestedShortcuts() -> [RequestedShortcut] {
    var requested: [RequestedShortcut] = []
    // an array that is not read to its end cannot be left, but nothing follows it
    _ = within("a", "(sa{sv})") { () -> Bool? in
      while requested.count <= Self.mostShortcuts,
        let shortcut = within("r", "sa{sv}", { requestedShortcut() })
      {
        requested.append(shortcut)
      }
      return true
    }
    return requested
  }

  private func requestedShortcut() -> RequestedShortcut? {
    guard let id = string() else { return nil }
    let values = dictionary()
    func text(_ name: String) -> String? {
      guard case .string(let text)? = values[name] else { return nil }
      return text
    }
    // some applications, and the portal's own tests, spell it with a hyphen
    return RequestedShortcut(
      id: id, description: text("description") ?? "",
      preferred: text("preferred_trigger") ?? text("preferred-trigger") ?? "")
  }

  func append(_ shortcuts: [ShortcutAnswers.Answer]) -> Bool {
    append("a", "(sa{sv})") {
      shortcuts.allSatisfy { shortcut in
        append("r", "sa{sv}") {
          append(shortcut.id)
            && append("a", "{sv}") {
              appendEntry("description", "s") { append(shortcut.description) }
                && appendEntry("trigger_description", "s") {
                  append(shortcut.trigger?.words ?? "")
                }
            }
        }
      }
    }
  }
}
