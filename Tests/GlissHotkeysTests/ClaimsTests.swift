import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissHotkeys

/// Which keys are whose.
@Suite struct ClaimsTests {
  /// The hotkeys of several owners, who are in each other's way, but not in their own.
  private struct Claims {
    struct Claim: Equatable {
      var owner: String
      var id: HotkeyID
    }

    var conflicts = HotkeyConflicts<Claim>()
    var isBare: Bool { conflicts.isEmpty }

    mutating func add(_ hotkey: Hotkey, _ claim: Claim) { conflicts.add(hotkey, claim) }
    mutating func remove(_ hotkey: Hotkey, _ claim: Claim) { conflicts.remove(hotkey, claim) }
    func holder(against hotkey: Hotkey, of owner: String) -> Claim? {
      conflicts.all(with: hotkey).first { $0.owner != owner }
    }
  }

  private static func claim(_ owner: String, _ number: UInt32) -> Claims.Claim {
    Claims.Claim(owner: owner, id: HotkeyID(rawValue: number))
  }

  @Test(
    arguments: [
      ("super+t", "super+t"), ("super+t", "release:super+t"), ("super+t", "lsuper+t"),
      ("super+k", "super+k ; w"), ("super+k ; w", "super+k ; w ; x"),
      ("super+k ; w", "lsuper+k ; x"), ("tap:super", "tap:rsuper"), ("super+'ö'", "lsuper+'ö'"),
    ])
  func aTakenHotkeyConflictsInEitherOrder(_ one: String, _ other: String) throws {
    for (first, second) in [(one, other), (other, one)] {
      var claims = Claims()
      let (first, second) = (try Hotkey(first), try Hotkey(second))
      claims.add(first, Self.claim("a", 1))
      #expect(claims.holder(against: second, of: "b") == Self.claim("a", 1))
      // in another mode it may be its owner's own
      #expect(claims.holder(against: second, of: "a") == nil)
      claims.add(second, Self.claim("a", 2))
      claims.remove(first, Self.claim("a", 1))
      #expect(claims.holder(against: second, of: "b") == Self.claim("a", 2))
      claims.remove(second, Self.claim("a", 2))
      #expect(claims.holder(against: second, of: "b") == nil)
      #expect(claims.isBare)
    }
  }

  @Test func sequencesOfSeveralMayBeginAlike() throws {
    var claims = Claims()
    claims.add(try Hotkey("super+k ; w"), Self.claim("a", 1))
    #expect(claims.holder(against: try Hotkey("super+k ; v"), of: "b") == nil)
    claims.add(try Hotkey("super+k ; v"), Self.claim("b", 1))
    #expect(claims.holder(against: try Hotkey("super+k ; v"), of: "a") == Self.claim("b", 1))
    #expect(claims.holder(against: try Hotkey("super+k"), of: "b") == Self.claim("a", 1))
  }

  /// A hotkey is in the way exactly if some hotkey of another owner could not stand beside it in one table.
  @Test(arguments: 0..<40) func theyAgreeWithTablesOfTwo(_ index: Int) throws {
    var random = Seed.source("claims", index)
    var claims = Claims()
    var all: [(hotkey: Hotkey, claim: Claims.Claim)] = []
    var refusals = 0
    for number in 1...150 {
      if !all.isEmpty, random.chance(0.3) {
        let gone = all.remove(at: random.integer(0...all.count - 1))
        claims.remove(gone.hotkey, gone.claim)
      }
      let hotkey = PropertyTests.hotkey(&random)
      let claim = Self.claim(random.pick(["a", "b", "c"]), UInt32(number))
      let others = all.filter { $0.claim.owner != claim.owner }
      let inTheWay = try others.filter { other in
        var table = HotkeyTable()
        _ = try table.register(other.hotkey, owner: "")
        return (try? table.register(hotkey, owner: "")) == nil
      }
      let holder = claims.holder(against: hotkey, of: claim.owner)
      #expect((holder == nil) == inTheWay.isEmpty, "\(hotkey) of \(claim.owner); \(Seed.advice)")
      if let holder {
        #expect(inTheWay.contains { $0.claim == holder }, "\(hotkey); \(Seed.advice)")
        refusals += 1
      } else {
        claims.add(hotkey, claim)
        all.append((hotkey, claim))
      }
    }
    #expect(refusals > 0, "nobody is in anybody's way; \(Seed.advice)")
    for (hotkey, claim) in all { claims.remove(hotkey, claim) }
    #expect(claims.isBare, "\(Seed.advice)")
  }
}
