import GlissClient
import GlissDevices
public import GlissHotkeys

/// Presses chords for the user, one complete chord after the other. It may block until they are
/// pressed.
public typealias PressChords = ([Chord]) throws(KeyRefusal) -> Void

/// Why keys are not pressed, and what would allow it.
public struct KeyRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}

/// Has the broker press keys, over a connection that is kept open.
final class BrokerKeys {
  private let path: String
  private var connection: BrokerConnection?

  init(_ path: String) { self.path = path }

  func press(_ chords: [Chord]) throws(KeyRefusal) {
    do throws(ClientError) {
      do throws(ClientError) {
        try connect().post(chords)
      } catch .disconnected {
        // the broker may have been restarted
        connection = nil
        try connect().post(chords)
      }
    } catch {
      if !error.isAboutRights { connection = nil }
      throw KeyRefusal("\(error)")
    }
  }

  private func connect() throws(ClientError) -> BrokerConnection {
    if let connection { return connection }
    let opened = try BrokerConnection(path: path)
    connection = opened
    return opened
  }
}

/// A virtual keyboard of our own, created when it is first needed.
final class OwnKeys {
  /// Called with the keyboard before its first use.
  var didPlugIn: ((UinputKeyboard) -> Void)?
  private let loop: EventLoop
  private var keyboard: UinputKeyboard?

  init(on loop: EventLoop) { self.loop = loop }

  func press(_ chords: [Chord]) throws(KeyRefusal) {
    do throws(PressError) {
      try plugIn().press(chords)
    } catch {
      throw KeyRefusal("\(error)")
    }
  }

  private func plugIn() throws(PressError) -> UinputKeyboard {
    if let keyboard { return keyboard }
    do throws(DeviceError) {
      let translator = try XkbKeyTranslator(try KeyboardLayout.find().0)
      let plugged = try UinputKeyboard(on: loop, translator: translator)
      didPlugIn?(plugged)
      keyboard = plugged
      return plugged
    } catch {
      throw .device(error)
    }
  }
}
