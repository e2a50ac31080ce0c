import GlissSynthesis
import TestSupport
import Testing

@testable import GlissBroker

/// The order of turns.
@Suite struct TurnsTests {
  @Test func othersGetOneTurnInFourWhileFavoredClientsHaveWork() {
    var turns = Turns<String>()
    for number in 0..<8 { turns.append("root \(number)", uid: 0, pid: 1, isFavored: true) }
    for number in 0..<2 { turns.append("other \(number)", uid: 1001, pid: 2, isFavored: false) }
    let order = (0..<10).compactMap { _ in turns.popFirst(others: true) }
    #expect(
      order == [
        "root 0", "root 1", "root 2", "other 0", "root 3", "root 4", "root 5", "other 1",
        "root 6", "root 7",
      ])
    #expect(turns.isEmpty(others: true) && turns.popFirst(others: true) == nil)
  }

  @Test func restingClientsGetNoTurnAndComeFirstAfterwards() {
    var turns = Turns<Int>()
    turns.append(-1, uid: 1001, pid: 2, isFavored: false)
    for number in 0..<20 {
      turns.append(number, uid: 0, pid: 1, isFavored: true)
      turns.append(number + 100, uid: 0, pid: 1, isFavored: true)
      #expect(turns.popFirst(others: false) != -1)
    }
    #expect(turns.popFirst(others: true) == -1)
  }

  private struct Waiting: Hashable {
    let number: Int
    let uid: UInt32
    let pid: Int32
    let isFavored: Bool
  }

  /// In any order of events, no one who may have a turn waits longer than the limit of turns of the other class.
  @Test(arguments: 0..<20) func noClientWaitsForEver(_ index: Int) {
    var random = Seed.source("turns", index)
    var turns = Turns<Waiting>()
    var model: Set<Waiting> = []
    // turns of the favored while others waited, and the other way round
    var (passedOthers, passedFavored) = (0, 0)
    for number in 0..<2000 {
      switch random.integer(0...9) {
      case 0...4:
        let isFavored = random.chance(0.6)
        let waiting = Waiting(
          number: number, uid: UInt32(random.integer(0...2)) + (isFavored ? 0 : 1000),
          pid: Int32(random.integer(1...3)), isFavored: isFavored)
        model.insert(waiting)
        turns.append(waiting, uid: waiting.uid, pid: waiting.pid, isFavored: isFavored)
      case 5:
        guard let gone = model.min(by: { $0.number < $1.number }) else { continue }
        model.remove(gone)
        turns.removeAll(uid: gone.uid, pid: gone.pid) { $0 == gone }
      case _:
        let mayServe = random.chance(0.7)
        let favored = model.count(where: \.isFavored)
        let others = model.count - favored
        guard let next = turns.popFirst(others: mayServe) else {
          #expect(favored == 0 && (others == 0 || !mayServe), "\(Seed.advice)")
          continue
        }
        #expect(model.remove(next) != nil && (next.isFavored || mayServe), "\(Seed.advice)")
        if next.isFavored {
          #expect(passedOthers < 3 || others == 0 || !mayServe, "\(Seed.advice)")
        } else {
          #expect(passedFavored < 1 || favored == 0, "\(Seed.advice)")
        }
        passedOthers = next.isFavored && others > 0 ? passedOthers + 1 : 0
        passedFavored = !next.isFavored && favored > 0 ? passedFavored + 1 : 0
      }
      if model.allSatisfy(\.isFavored) { passedOthers = 0 }
    }
  }
}
