/// The search for the application's window in the one under the pointer, which is usually a frame that
/// the window manager has put around it.
///
/// Windows are looked at level by level, the topmost first, until one has the property that window
/// managers give to what they manage. Frames are one or two levels deep.
struct X11Search: Hashable {
  /// The window under the pointer, which counts itself if nothing in it does: a menu, for example.
  let frame: UInt32
  private var waiting: ArraySlice<UInt32>
  private var count = 0
  private static let most = 64

  init(_ frame: UInt32) {
    self.frame = frame
    waiting = frame == 0 ? [] : [frame]
  }

  /// The window to look at; `nil` if there is none any more.
  var window: UInt32? { count < Self.most ? waiting.first : nil }

  /// That window is not managed, and these are in it.
  mutating func goOn(with children: [UInt32]) {
    waiting.removeFirst()
    count += 1
    waiting += children.prefix(Self.most)
  }
}
