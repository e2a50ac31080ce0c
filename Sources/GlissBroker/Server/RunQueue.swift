/// A queue in order of arrival.
struct RunQueue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func removeAll(where isOver: (Element) -> Bool) {
    elements = elements[head...].filter { $0.map { !isOver($0) } ?? false }
    head = 0
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    if isEmpty {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head > elements.count / 2 {
      // on average, an element is moved at most once for each one that left
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}
