import ArgumentParser
import CLibevdev
import Foundation
import GlissDevices
import GlissEvents
import GlissSession

/// One reader of a device; ends when the device does.
struct Listen: ParsableCommand {
  enum Reader: String, ExpressibleByArgument, CaseIterable {
    /// libevdev's events, and nothing done with them.
    case bare
    /// Gliss, with a handler of gestures that counts them.
    case gliss
    /// libinput's gestures, scrolls and taps, a line for each that begins or ends.
    case libinput
  }

  static let configuration = CommandConfiguration(shouldDisplay: false)

  @Argument var reader: Reader
  @Argument var paths: [String]

  private var path: String { paths[0] }

  func run() throws {
    switch reader {
    case .bare: try readBare()
    case .gliss: try readGliss()
    case .libinput: try LibinputListener(path).run()
    }
  }

  /// The minimal work of reading a touchpad, as in libevdev's documentation: poll, then read until
  /// nothing is left.
  private func readBare() throws {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    var handle: OpaquePointer?
    guard libevdev_new_from_fd(descriptor, &handle) == 0 else {
      throw Failure("\(path): no device")
    }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var frames = 0
    while true {
      guard poll(&waiting, 1, -1) > 0 else { continue }
      var event = input_event()
      var status: Int32 = 0
      repeat {
        status = libevdev_next_event(handle, UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), &event)
        if status == 0, event.type == EV_SYN, event.code == SYN_REPORT { frames += 1 }
      } while status >= 0
      if status != -EAGAIN && status != -EINTR { break }
    }
    print(frames)
  }

  private func readGliss() throws {
    var gestures = 0
    let session = Session()
    session.addHandler(matching: .gesture) { _ in gestures += 1 }
    try LiveDevices(.paths(paths)).run(into: session)
    print(gestures)
  }
}

/// What went wrong, in words.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
