import GlissPortal
import TestSupport
import Testing

/// The notification that opens the dialog, on a bus of the test's own.
@Suite(
  .serialized, .enabled(if: FakeServices.isAvailable, "dbus-daemon or python3-dbus is missing"))
struct NotificationPromptTests {
  /// Says what the test has told it, a moment after a notification was shown.
  private static let server = """
    other = dbus.bus.BusConnection(sys.argv[1])
    name = "org.freedesktop.Notifications"

    def emit(connection, member, signature, *values):
        message = dbus.lowlevel.SignalMessage("/org/freedesktop/Notifications", name, member)
        message.append(signature=signature, *values)
        connection.send_message(message)
        connection.flush()

    class Server(dbus.service.Object):
        story = []
        capabilities = ["body", "actions"]
        body = "Cut & paste"

        @dbus.service.method(name, in_signature="", out_signature="as")
        def GetCapabilities(self):
            return self.capabilities

        @dbus.service.method(name, in_signature="susssasa{sv}i", out_signature="u")
        def Notify(self, program, replaces, icon, summary, body, actions, hints, expires):
            if body != self.body:
                self.story = ["leave"]
            GLib.timeout_add(20, self.tell)
            return 7

        @dbus.service.method(name, in_signature="u", out_signature="")
        def CloseNotification(self, number):
            pass

        def tell(self):
            for line in self.story:
                if line == "leave":
                    bus.release_name(name)
                else:
                    emit(*line)
            return False

    server = Server(bus, "/org/freedesktop/Notifications")
    owned = dbus.service.BusName(name, bus)
    """

  private func answer(to story: String, _ more: String...) throws -> NotificationPrompt.Answer {
    let services = try FakeServices()
    try services.serve("import dbus.lowlevel\n" + Self.server)
    for line in ["server.story += [\(story)]"] + more { try services.order(line) }
    let prompt = try #require(
      NotificationPrompt(bus: services.address, "An app asks", "Cut & paste"))
    return prompt.ask()
  }

  /// By the button, or by a click on the notification.
  @Test(arguments: ["open", "default"]) func theUserOpensTheDialog(_ action: String) throws {
    #expect(try answer(to: #"(bus, "ActionInvoked", "us", 7, "\#(action)")"#) == .open)
  }

  /// What an application is called is no markup, if the server reads markup.
  @Test func theBodyIsEscapedIfTheServerReadsMarkup() throws {
    #expect(
      try answer(
        to: #"(bus, "ActionInvoked", "us", 7, "open")"#,
        #"server.capabilities += ["body-markup"]"#, #"server.body = "Cut &amp; paste""#) == .open)
  }

  @Test(arguments: [
    #"(bus, "ActionInvoked", "us", 7, "later")"#, #"(bus, "ActionInvoked", "us", 7, "other")"#,
    #"(bus, "NotificationClosed", "uu", 7, 2)"#,
  ])
  func anythingElsePutsItOff(_ story: String) throws {
    #expect(try answer(to: story) == .later)
  }

  /// Nobody can answer it any more, and other questions wait behind it.
  @Test func aServerThatEndsTakesTheNotificationWithIt() throws {
    #expect(try answer(to: #""leave""#) == .unavailable)
  }

  @Test func aSignalOfAnotherProgramOpensNothing() throws {
    let forged = #"(other, "ActionInvoked", "us", 7, "open")"#
    #expect(
      try answer(
        to: forged + #", (bus, "ActionInvoked", "us", 8, "open")"#
          + #", (bus, "NotificationClosed", "uu", 7, 2)"#) == .later)
  }
}
