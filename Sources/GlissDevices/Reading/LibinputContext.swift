import CLibinput
import CLibudev
import Glibc

/// A libinput context to which devices are added by path.
///
/// It opens devices through `opening` and `closing`, so that descriptors that were handed over can
/// be used too.
final class LibinputContext {
  let handle: OpaquePointer
  /// Opens a path for libinput. Returns a descriptor or a negative error number.
  var opening: (String) -> Int32 = { _ in -ENODEV }
  var closing: (Int32) -> Void = { close($0) }
  /// Called with libinput's messages.
  var didSay: ((String) -> Void)?
  /// Called with the node name, such as `event5`, of a device whose events the kernel has dropped.
  var didLoseEvents: ((String) -> Void)?

  /// Kept alive because libinput keeps the pointer.
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
    // losses are only reported at this level
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
    // the format string already contains the node name
    if let node = Self.nodeWithLoss(in: format) {
      didLoseEvents?(node)
    } else if priority == LIBINPUT_LOG_PRIORITY_ERROR {
      say(format, arguments)
    }
  }

  /// The node named in a loss message: `event5  - Keyboard: SYN_DROPPED event - …`.
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

  /// The descriptor to wait for.
  var descriptor: Int32 { libinput_get_fd(handle) }

  /// Reads waiting events and handles timeouts.
  func dispatch() { libinput_dispatch(handle) }

  /// The next event. The caller destroys it.
  func next() -> OpaquePointer? { libinput_get_event(handle) }

  /// - Returns: `nil` if libinput rejects the device.
  func add(_ path: String) -> OpaquePointer? { libinput_path_add_device(handle, path) }

  func remove(_ device: OpaquePointer) { libinput_path_remove_device(device) }
}
