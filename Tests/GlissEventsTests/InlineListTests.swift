import GlissEvents
import Testing

@Suite struct InlineListTests {
  private func list(_ elements: [Int]) -> InlineList<4, Int> {
    var list = InlineList<4, Int>(filler: -1)
    for element in elements { list.append(element) }
    return list
  }

  private func elements(_ list: InlineList<4, Int>) -> [Int] { list.indices.map { list[$0] } }

  @Test func itTakesWhatFitsAndSaysWhenItIsFull() {
    var list = list([1, 2, 3])
    #expect(!list.isFull)
    let isTaken = list.append(4)
    #expect(isTaken && list.isFull)
    let isTakenToo = list.append(5)
    #expect(!isTakenToo)
    #expect(elements(list) == [1, 2, 3, 4])
  }

  @Test(arguments: [(0, [2, 3]), (1, [1, 3]), (2, [1, 2])])
  func laterElementsMoveUpAfterARemoval(index: Int, rest: [Int]) {
    var list = list([1, 2, 3])
    list.remove(at: index)
    #expect(elements(list) == rest)
    list.append(9)
    #expect(elements(list) == rest + [9])
  }

  @Test func copiesAreApart() {
    let first = list([1, 2])
    var second = first
    second[0] = 7
    second.append(8)
    #expect(elements(first) == [1, 2])
    #expect(elements(second) == [7, 2, 8])
  }

  @Test func listsAreEqualByWhatTheyHold() {
    var longer = list([1, 2, 3])
    #expect(longer != list([1, 2]))
    longer.remove(at: 2)
    #expect(longer == list([1, 2]))
    #expect(list([1, 2]) != list([2, 1]))
  }

  @Test func itFindsAndCounts() {
    let list = list([5, 6, 5])
    #expect(list.firstIndex { $0 == 5 } == 0)
    #expect(list.firstIndex { $0 == 7 } == nil)
    #expect(list.count { $0 == 5 } == 2)
    var seen: [Int] = []
    list.forEach { seen.append($0) }
    #expect(seen == [5, 6, 5])
  }

  @Test func itIsACollection() {
    let list = list([5, 6, 7])
    var seen: [Int] = []
    for element in list where element != 6 { seen.append(element) }
    #expect(seen == [5, 7])
    #expect(list.map { $0 * 2 } == [10, 12, 14] && list.filter { $0 > 5 } == [6, 7])
    #expect(list.last == 7 && list.contains(6) && Array(list.reversed()) == [7, 6, 5])
  }

  @Test func anEmptiedListHoldsNothing() {
    var list = list([1, 2])
    list.removeAll()
    #expect(list.isEmpty)
    #expect(list.firstIndex { _ in true } == nil)
  }
}

/// Each in a process of its own.
@Suite struct InlineListExitTests {
  @Test func aPlaceThatIsNotTakenIsNoElement() async {
    await #expect(processExitsWith: .failure) {
      let list = InlineList<4, Int>(filler: 0)
      _ = list[0]
    }
  }
}
