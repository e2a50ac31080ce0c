import CLibinput
import CLibudev
import Glibc

/// One libinput context that devices are added to by path.
///
/// It opens nothing by itself: `opening` and `closing` do, so that a descriptor that was handed over serves as well.
final class LibinputContext {
  let handle: OpaquePointer
  /// Called with each path that libinput wants to open: a descriptor, or a negative error number.
  var opening: (String) -> Int32 = { _ in -ENODEV }
  var closing: (Int32) -> Void = { close($0) }
  /// Called with what libinput has to say.
  var didSay: ((String) -> Void)?
  /// Called with the name of a node, as in `event5`, of which the kernel has dropped events.
  var didLoseEvents: ((String) -> Void)?

  /// libinput keeps the pointer.
  private let interface: UnsafeMutablePointer<libinput_interface>

  init() throws(DeviceError) {
    interface = .allocate(capacity: 1)
    interface.initialize(
      to: libinput_interface(
        open_restricted: { path, _, owner in
          guard let path, let owner else { return -EINVAL }
          return LibinputContext.of(owner).opening(String(cString: path))
        },
        close_restricted: { descriptor, owner in
          guard let owner else { return }
          LibinputContext.of(owner).closing(descriptor)
        }))
    guard let handle = libinput_path_create_context(interface, nil) else {
      interface.deallocate()
      throw DeviceError("libinput", "it cannot be set up", advice: "is there enough memory?")
    }
    self.handle = handle
    libinput_set_user_data(handle, Unmanaged.passUnretained(self).toOpaque())
    libinput_log_set_handler(handle) { context, priority, format, arguments in
      guard let owner = context.flatMap({ libinput_get_user_data($0) }), let format, let arguments
      else { return }
      LibinputContext.of(owner).hear(format, arguments, priority)
    }
    // it says nowhere else that events were lost
    libinput_log_set_priority(handle, LIBINPUT_LOG_PRIORITY_INFO)
  }

  deinit {
    libinput_unref(handle)
    interface.deallocate()
  }

  private static func of(_ owner: UnsafeMutableRawPointer) -> LibinputContext {
    Unmanaged<LibinputContext>.fromOpaque(owner).takeUnretainedValue()
  }

  private func hear(
    _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer, _ priority: libinput_log_priority
  ) {
    // the node's name is a part of the format already
    if let node = Self.nodeWithLoss(in: format) {
      didLoseEvents?(node)
    } else if priority == LIBINPUT_LOG_PRIORITY_ERROR {
      say(format, arguments)
    }
  }

  /// The node that a message about a loss names: `event5  - Keyboard: SYN_DROPPED event - …`.
  static func nodeWithLoss(in message: UnsafePointer<CChar>) -> String? {
    guard strstr(message, "SYN_DROPPED event") != nil else { return nil }
    let node = String(cString: message).prefix { $0 != " " }
    return node.hasPrefix("event") ? String(node) : nil
  }

  private func say(_ format: UnsafePointer<CChar>, _ arguments: CVaListPointer) {
    guard let didSay else { return }
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer -> String in
      guard let start = buffer.baseAddress else { return "" }
      vsnprintf(start, 512, format, arguments)
      return String(cString: start)
    }
    didSay(String(text.reversed().drop { $0.isNewline }.reversed()))
  }

  /// What can be waited for.
  var descriptor: Int32 { libinput_get_fd(handle) }

  /// Reads what there is, and does what is due.
  func dispatch() { libinput_dispatch(handle) }

  /// The next event, which the caller destroys.
  func next() -> OpaquePointer? { libinput_get_event(handle) }

  /// - Returns: `nil` where libinput does not take the device.
  func add(_ path: String) -> OpaquePointer? { libinput_path_add_device(handle, path) }

  func remove(_ device: OpaquePointer) { libinput_path_remove_device(device) }
}
