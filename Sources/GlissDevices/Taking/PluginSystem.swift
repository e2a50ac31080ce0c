import CLibinput
import Glibc

/// What libinput has from 1.30 on, if it was built with Lua. The headers may be older.
package enum PluginSystem {
  private typealias Append = @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> Void
  private typealias Load = @convention(c) (OpaquePointer, UInt32) -> Int32

  /// Whether this process's libinput loads plugins. A desktop's is the same, unless it brings its
  /// own.
  package static let isSupported: Bool = {
    let nobody = UnsafeMutablePointer<libinput_interface>.allocate(capacity: 1)
    nobody.initialize(
      to: libinput_interface(
        open_restricted: { _, _, _ in -EPERM }, close_restricted: { _, _ in }))
    defer { nobody.deallocate() }
    guard let context = libinput_path_create_context(nobody, nil) else { return false }
    defer { libinput_unref(context) }
    return load("/nonexistent", into: context)
  }()

  /// - Parameter context: a libinput context without devices.
  /// - Returns: whether libinput loads plugins.
  package static func load(_ folder: String, into context: OpaquePointer) -> Bool {
    guard let append = dlsym(nil, "libinput_plugin_system_append_path"),
      let load = dlsym(nil, "libinput_plugin_system_load_plugins")
    else { return false }
    unsafeBitCast(append, to: Append.self)(context, folder)
    return unsafeBitCast(load, to: Load.self)(context, 0) == 0
  }
}
