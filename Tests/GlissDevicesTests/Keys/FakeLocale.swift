import TestSupport

extension FakeServices {
  /// Puts a stand-in for systemd's locale1 on the bus.
  ///
  /// - Parameter answer: what GetAll gives, as a Python expression; `None` for a service that never answers.
  func serveLocale(_ answer: String) throws {
    try serve(
      """
      answer = \(answer)

      class Locale(dbus.service.Object):
          @dbus.service.method(PROPERTIES, in_signature="s",
                               out_signature="a{sv}", async_callbacks=("done", "failed"))
          def GetAll(self, interface, done, failed):
              if interface != "org.freedesktop.locale1":
                  failed(ValueError(interface))
              elif answer is not None:
                  done(answer)

      name = dbus.service.BusName("org.freedesktop.locale1", bus)
      locale = Locale(bus, "/org/freedesktop/locale1")
      """)
  }
}
