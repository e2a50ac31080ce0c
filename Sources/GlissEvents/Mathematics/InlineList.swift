/// A list of up to `capacity` elements that is stored inline: it never allocates.
///
/// The event path carries touches in these.
public struct InlineList<let capacity: Int, Element: BitwiseCopyable & Sendable>: Sendable {
  @usableFromInline var storage: InlineArray<capacity, Element>
  @usableFromInline var used: Int
  /// Keeps the list in place. Without it, Swift 6.3 copies the whole list, up to 2 kB, for every
  /// read of one element and every call of a function that takes one: four fifths of a frame's
  /// time. A value that contains an existential is passed by address.
  @usableFromInline let anchor: any Sendable = ()

  /// Creates an empty list; `filler` occupies the unused places.
  @inlinable public init(filler: Element) {
    storage = InlineArray(repeating: filler)
    used = 0
  }

  /// How many elements there are.
  @inlinable public var count: Int { used }
  /// Whether there is no element.
  @inlinable public var isEmpty: Bool { used == 0 }
  /// Whether there is no room for another element.
  @inlinable public var isFull: Bool { used == capacity }
  /// The numbers of the elements, from 0.
  @inlinable public var indices: Range<Int> { 0..<used }

  /// The element at `index`, which must be one of `indices`: callers compute it and never take it
  /// from outside data.
  @inlinable public subscript(index: Int) -> Element {
    get {
      precondition(index < used)
      return storage[index]
    }
    set {
      precondition(index < used)
      storage[index] = newValue
    }
  }

  /// Appends `element`; returns `false`, and changes nothing, if the list is full.
  @inlinable @discardableResult public mutating func append(_ element: Element) -> Bool {
    guard used < capacity else { return false }
    storage[used] = element
    used += 1
    return true
  }

  /// Removes the element at `index`; later elements move up.
  @inlinable public mutating func remove(at index: Int) {
    precondition(index < used)
    var i = index
    while i + 1 < used {
      storage[i] = storage[i + 1]
      i += 1
    }
    used -= 1
  }

  /// Removes all elements.
  @inlinable public mutating func removeAll() { used = 0 }

  /// The index of the first element that satisfies `predicate`.
  @inlinable public func firstIndex(where predicate: (Element) -> Bool) -> Int? {
    var i = 0
    while i < used {
      if predicate(storage[i]) { return i }
      i += 1
    }
    return nil
  }

  /// How many elements satisfy `predicate`.
  @inlinable public func count(where predicate: (Element) -> Bool) -> Int {
    var n = 0
    var i = 0
    while i < used {
      if predicate(storage[i]) { n += 1 }
      i += 1
    }
    return n
  }

  /// Calls `body` for every element in order.
  @inlinable public func forEach(_ body: (Element) -> Void) {
    var i = 0
    while i < used {
      body(storage[i])
      i += 1
    }
  }
}

/// `for touch in frame.touches` copies the list once. If nanoseconds matter, loop over its
/// `indices` instead.
extension InlineList: RandomAccessCollection {
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { used }
}

extension InlineList: Equatable where Element: Equatable {
  public static func == (a: Self, b: Self) -> Bool {
    guard a.used == b.used else { return false }
    for i in a.indices where a[i] != b[i] { return false }
    return true
  }
}
