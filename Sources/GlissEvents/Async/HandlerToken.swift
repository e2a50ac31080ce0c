/// A registered handler, to remove it.
///
/// The handler stays registered when this is released. Use it on the thread of what it was registered
/// with.
public struct HandlerToken {
  private let end: () -> Void

  package init(_ end: @escaping () -> Void) { self.end = end }

  /// Stops calling the handler, from the next event on. A handler may remove itself. Does nothing if
  /// it was removed already.
  public func remove() { end() }
}
