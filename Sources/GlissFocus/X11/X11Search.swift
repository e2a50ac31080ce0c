/// The search for the application's window in the one under the pointer, which is a frame that the
/// window manager has put around it.
///
/// Windows are looked at level by level, the topmost first, until one has a class. Frames are one or
/// two levels deep; a program with more windows than are looked at has a class itself.
struct X11Search: Hashable {
  private var waiting: ArraySlice<UInt32>
  private var count = 0
  private static let most = 64

  init(_ frame: UInt32) { waiting = frame == 0 ? [] : [frame] }

  /// The window to look at; `nil` if there is none any more.
  var window: UInt32? { count < Self.most ? waiting.first : nil }

  /// The window has no class, and these are in it.
  mutating func goOn(with children: [UInt32]) {
    waiting.removeFirst()
    count += 1
    waiting += children.prefix(Self.most)
  }
}
