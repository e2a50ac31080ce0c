import Foundation
import Testing

/// `gliss explain` as a process.
@Suite struct ExplainTests {
  private func objects(_ command: Command) throws -> [[String: Any]] {
    try command.lines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// A recording of a pad with two slots, 40 units to the mm: two fingers that move by these many
  /// units in every frame.
  private func twoFingers(
    _ first: (x: Int, y: Int), _ second: (x: Int, y: Int), frames: Int, key: String = "014d"
  ) -> String {
    var lines = [
      "N: Two slots", "A: 35 0 4000 0 0 40", "A: 36 0 2400 0 0 40", "A: 2f 0 1 0 0 0",
      "A: 39 0 65535 0 0 0",
    ]
    func frame(_ number: Int, _ events: String...) {
      for event in events + ["0000 0000 0"] {
        lines.append("E: 1.\(100_000 + number * 8000) \(event)")
      }
    }
    frame(
      0, "0003 002f 0", "0003 0039 1", "0003 0035 1000", "0003 0036 1200", "0003 002f 1",
      "0003 0039 2", "0003 0035 1880", "0003 0036 1200", "0001 014a 1", "0001 \(key) 1")
    for step in 1..<frames {
      frame(
        step, "0003 002f 0", "0003 0035 \(1000 + step * first.x)",
        "0003 0036 \(1200 + step * first.y)", "0003 002f 1",
        "0003 0035 \(1880 + step * second.x)", "0003 0036 \(1200 + step * second.y)")
    }
    frame(
      frames, "0003 002f 0", "0003 0039 -1", "0003 002f 1", "0003 0039 -1", "0001 \(key) 0")
    return (lines + [""]).joined(separator: "\n")
  }

  /// A pad with two slots counts a third finger, which has no travel to print.
  @Test func onlyFingersThatAreShownHaveATravel() throws {
    let folder = try TemporaryFolder()
    let text = twoFingers((25, 0), (25, 0), frames: 20, key: "014e")
    let path = try folder.write(Data(text.utf8), as: "two.evemu")
    let command = try Command.run("explain", "--format", "jsonl", path)
    let decision = try #require(
      try objects(command).first { $0["fingers"] as? Int == 3 }, "\(command.errors)")
    #expect((decision["travel_mm"] as? [Double])?.count == 2, "\(decision)")
    #expect(decision["resting"] as? Int == 0)
  }

  /// The least line is the one marked, also if no meaning led and a still finger makes a drag.
  @Test func theMarkedLineIsTheLeast() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      Data(twoFingers((0, -12), (0, 2), frames: 40).utf8), as: "uneven.evemu")
    let command = try Command.run("explain", path)
    let costs = command.lines.filter { $0.contains(" mm unexplained") }
    let least = try #require(
      costs.min {
        (Double($0.split(separator: " ")[2]) ?? 0) < (Double($1.split(separator: " ")[2]) ?? 0)
      })
    #expect(least.hasPrefix("    still ") && least.hasSuffix("decided"), "\(command.output)")
    #expect(costs.count { $0.hasSuffix("decided") } == 1)
    #expect(command.output.contains("gone far: a drag past a still finger explains the most."))
    let decision = try #require(objects(Command.run("explain", "--format", "jsonl", path)).first)
    #expect(decision["meaning"] as? String == "still" && decision["rival"] as? String == "pinch")
  }

  /// Gestures count up to five fingers.
  @Test func fingersBeyondTheFifthAreNotSilentlyLeftOut() throws {
    var lines = [
      "N: Six slots", "A: 35 0 4000 0 0 40", "A: 36 0 2400 0 0 40", "A: 2f 0 5 0 0 0",
      "A: 39 0 65535 0 0 0",
    ]
    for step in 0...20 {
      let time = "E: 1.\(100_000 + step * 8000)"
      for slot in 0..<6 {
        lines.append("\(time) 0003 002f \(slot)")
        if step == 0 { lines += ["\(time) 0003 0039 \(slot)", "\(time) 0003 0036 1200"] }
        lines.append(
          step == 20
            ? "\(time) 0003 0039 -1" : "\(time) 0003 0035 \(400 + slot * 400 + step * 25)")
      }
      if step == 0 || step == 20 {
        lines += ["014a", "0148"].map { "\(time) 0001 \($0) \(step == 0 ? 1 : 0)" }
      }
      lines.append("\(time) 0000 0000 0")
    }
    let folder = try TemporaryFolder()
    let path = try folder.write(Data((lines + [""]).joined(separator: "\n").utf8), as: "six.evemu")
    let output = try Command.run("explain", path).output
    #expect(output.contains("  swipe of 5 of 6 fingers by rule lead, "), "\(output)")
    #expect(output.contains("    5 of 6 fingers moved 1.88, "), "\(output)")
    #expect(try Command.run("plot", path).output.contains(" ms: swipe of 5 of 6 fingers. "))
  }

  @Test func twoDevicesOfOneNameAreToldApart() throws {
    let one = try String(
      contentsOf: Command.root.appending(path: "recordings/medium-pad/tap-double.yml"),
      encoding: .utf8)
    let device = try #require(one.components(separatedBy: "\ndevices:\n").last)
    let folder = try TemporaryFolder()
    let path = try folder.write(
      one.replacing("ndevices: 1", with: "ndevices: 2") + device, as: "twins.yml")
    let decisions = try objects(Command.run("explain", "--format", "jsonl", path))
    #expect(decisions.count == 4 && decisions.compactMap { $0["unit"] as? Int } == [2, 2])
    for command in ["explain", "replay"] {
      let output = try Command.run(command, path).output
      #expect(output.contains(" · Gliss Medium Pad, 105 × 66 mm\n"), "\(output)")
      #expect(output.contains(" · Gliss Medium Pad (2), 105 × 66 mm\n"), "\(output)")
    }
  }

  @Test func everyGestureOfTheReplayIsDecidedOnce() throws {
    let decided = try objects(Command.run("explain", "--format", "jsonl", Command.demo))
      .compactMap { $0["gesture"] as? String }
    for name in ReplayTests.gestures { #expect(decided.contains(name), "no \(name)") }
  }

  @Test func theTableGivesWhatEachMeaningLeavesAndTheLeadItNeeded() throws {
    let command = try Command.run("explain", Command.demo)
    #expect(command.status == 0)
    #expect(command.output.contains("pinch by") || command.output.contains("pinch of 2 by"))
    #expect(command.lines.contains { $0.contains("pinch       leaves ") && $0.contains("decided") })
    #expect(command.lines.contains { $0.contains("waited for a tap that slides") })
  }

  /// The lead is the difference of two rows above it, as printed.
  @Test func theLeadAddsUp() throws {
    var costs: [String: Double] = [:]
    var count = 0
    for line in try Command.run("explain", Command.demo).lines {
      if let row = line.firstMatch(of: /^    ([a-z-]+) +(?:leaves|costs) ([0-9.]+) mm/) {
        costs["\(row.1)"] = Double(row.2)
      } else if let row = line.firstMatch(of: /^    ([0-9.]+) mm (ahead of|behind) ([a-z-]+),/) {
        let own = try #require(costs.filter { !$0.key.hasPrefix("late-") }.values.min())
        let other = try #require(costs["\(row.3)"], "\(line)")
        let lead = try #require(Double(row.1))
        #expect(abs(abs(other - own) - lead) < 0.016, "\(line): \(costs)")
        count += 1
      } else if line.hasPrefix("  ") && !line.hasPrefix("    ") {
        costs = [:]
      }
    }
    #expect(count > 6)
  }

  /// The cheapest meaning of the table is the one that was decided, and the lead is its distance to the next.
  @Test func theLeadFollowsFromTheTable() throws {
    var checked = 0
    for decision in try objects(Command.run("explain", "--format", "jsonl", Command.demo)) {
      guard let costs = decision["unexplained_mm"] as? [String: Double],
        let lead = decision["lead_mm"] as? Double, decision["time_ms"] == nil,
        decision["rule"] as? String != "edge"
      else { continue }
      func cost(_ meanings: String...) -> Double {
        meanings.map { costs[$0] ?? .infinity }.min() ?? .infinity
      }
      let drag = cost("drag", "swipe", "still")
      let late = cost("late-drag", "late-swipe")
      let gesture = decision["gesture"] as? String ?? "rest"
      let (own, rivals) =
        switch gesture {
        case "drag", "swipe": (drag, cost("pinch", "late-rotate", "rest"))
        case "pinch": (cost("pinch"), min(drag, late, cost("late-rotate", "rest")))
        case "rotate": (cost("rotate"), min(drag, late, cost("pinch", "rest")))
        case _: (cost("rest"), min(drag, late, cost("pinch", "late-rotate")))
        }
      #expect(abs(rivals - own - lead) < 0.003, "\(decision)")
      let meaning = try #require((decision["meaning"] as? String).flatMap { costs[$0] })
      let rival = try #require((decision["rival"] as? String).flatMap { costs[$0] })
      #expect(abs(rival - meaning - lead) < 0.003, "\(decision)")
      #expect(lead >= 0)
      checked += 1
    }
    #expect(checked >= 4)
  }

  @Test(
    arguments: [
      "small-pad/hold-1", "medium-pad/hold-2", "large-pad/hold-3", "unsized-pad/hold-4",
      "touchscreen/hold-5",
    ])
  func aHoldIsNotFollowedByNothing(_ name: String) throws {
    let decisions = try objects(
      Command.run("explain", "--format", "jsonl", "recordings/\(name).yml"))
    #expect(decisions.map { $0["rule"] as? String } == ["hold"])
  }

  @Test func onlySwitchesAreOnOrOff() throws {
    #expect(try Command.run("explain", "--set", "motion.floor=true", Command.demo).status == 2)
    #expect(try Command.run("explain", "--set", "typing.disables=true", Command.demo).status == 0)
  }

  /// Fingers that did not lift, or that all rest, are no riddle.
  @Test func whyNothingWasDecidedIsSaid() throws {
    let folder = try TemporaryFolder()
    func explained(_ lines: [Substring]) throws -> String {
      let text = lines.joined(separator: "\n") + "\n"
      return try Command.run(
        "explain", folder.write(Data(text.utf8), as: "a\(lines.count).evemu")
      ).output
    }
    let all = twoFingers((25, 0), (25, 0), frames: 20).split(separator: "\n")
    let few = all.prefix { !$0.hasPrefix("E: 1.116000") }
    #expect(try explained(Array(few)).contains("decided: the recording ends with fingers down"))
    let lost = Array(few) + ["E: 1.116000 0000 0003 0", "E: 1.116000 0000 0000 0"]
    #expect(try explained(lost).contains("decided: events of the pad were lost (SYN_DROPPED)"))
    let many = all.prefix { !$0.hasPrefix("E: 1.220000") }
    let late = Array(many) + ["E: 1.220000 0000 0003 0", "E: 1.220000 0000 0000 0"]
    let output = try explained(late)
    #expect(output.contains("s  events of the pad were lost (SYN_DROPPED)\n"), "\(output)")
    #expect(output.contains("s  drag cancelled after "), "\(output)")
    let goingOn = try explained(late + all.drop { !$0.hasPrefix("E: 1.228000") })
    #expect(goingOn.contains(", right after lost events\n"), "\(goingOn)")
    let rest = all.drop { !$0.hasPrefix("E: 1.228000") }
      .map { Substring("E: 31\($0.dropFirst(4))") }
    let afterAPause = try explained(late + rest)
    #expect(afterAPause.contains("stroke 2, "), "\(afterAPause)")
    #expect(!afterAPause.contains("right after lost events"), "\(afterAPause)")
  }

  @Test func aStrokeWithoutADecisionIsInJSON() throws {
    let folder = try TemporaryFolder()
    let lines = twoFingers((25, 0), (25, 0), frames: 20).split(separator: "\n")
    let text = lines.prefix { !$0.hasPrefix("E: 1.116000") }.joined(separator: "\n") + "\n"
    let path = try folder.write(Data(text.utf8), as: "few.evemu")
    let object = try #require(objects(Command.run("explain", "--format", "jsonl", path)).first)
    #expect(object["kind"] as? String == "undecided" && object["stroke"] as? Int == 1)
    #expect(object["reason"] as? String == "the recording ends with fingers down")
    // the time of its newest frame, not that of its beginning
    #expect(object["time"] as? Double != object["contact"] as? Double)
  }

  @Test func anInvalidLineIsNotTheEndOfTheRecording() throws {
    let demo = try String(
      contentsOf: Command.root.appending(path: Command.demo), encoding: .utf8)
    var lines = demo.components(separatedBy: "\n")
    lines.insert("garbage: [", at: 899)
    let folder = try TemporaryFolder()
    let path = try folder.write(lines.joined(separator: "\n"), as: "bad.yml")
    for arguments in [["explain"], ["explain", "--format", "jsonl"], ["plot"]] {
      let command = try Command.run(arguments + [path])
      #expect(command.status == 2)
      #expect(command.output.contains("the recording cannot be read any further"), "\(arguments)")
      #expect(!command.output.contains("the recording ends"), "\(arguments)")
    }
  }

  @Test func whatTimeDecidedHasNoLead() throws {
    let decisions = try objects(Command.run("explain", "--format", "jsonl", Command.demo))
    let timed = decisions.filter { ["tap", "hold"].contains($0["rule"] as? String) }
    #expect(timed.count > 2)
    for member in ["meaning", "rival", "lead_mm", "needed_mm"] {
      #expect(timed.allSatisfy { $0[member] == nil }, "\(member)")
      #expect(decisions.contains { $0[member] != nil }, "\(member)")
    }
  }

  /// In text as replay has them.
  @Test(arguments: ["explain", "keys"]) func timesHaveSixDecimals(_ name: String) throws {
    let command = try Command.run(name, "--format", "jsonl", Command.demo)
    #expect(!command.lines.isEmpty)
    for line in command.lines {
      #expect(line.contains(/^\{"time":[0-9]+\.[0-9]{6},/), "\(line)")
    }
  }

  /// Fingers that left while the decision waited had the lead.
  @Test func aFlickThatLeadIsNotSaidToLackIt() throws {
    let folder = try TemporaryFolder()
    let text = twoFingers((100, 0), (100, 0), frames: 5)
    let output = try Command.run(
      "explain", folder.write(Data(text.utf8), as: "flick.evemu")
    ).output
    #expect(output.contains(" by rule lift, "), "\(output)")
    #expect(output.contains("before a decision was due: a drag has the lead it needs."))
  }

  /// Also one that lifted before the last one. The pad shows two of five.
  @Test func eachFingerOfATapHasATravel() throws {
    let tap = try #require(
      objects(Command.run("explain", "--format", "jsonl", "recordings/small-pad/tap-5.yml")).first)
    #expect((tap["travel_mm"] as? [Double])?.count == 2)
    #expect(tap["travel_of"] as? [Int] == [1, 2])
  }

  /// The printed lead is that of the decided rows over those that are neither the same nor late.
  @Test(arguments: [
    "medium-pad/drag-converging", "medium-pad/flick-3", "small-pad/drag-early-lift",
  ])
  func theLeadIsTheDifferenceOfTheRows(_ name: String) throws {
    let output = try Command.run("explain", "recordings/\(name).yml").output
    var (own, others): ([Double], [Double]) = ([], [])
    var checked = 0
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.contains(" unexplained"), let cost = Double(words[2]) {
        if line.hasSuffix("decided") || line.contains("counts as") {
          own.append(cost)
        } else if !line.hasSuffix("not compared") {
          others.append(cost)
        }
      } else if line.contains(" mm ahead of "), let lead = Double(words[0]) {
        let difference = try #require(others.min()) - (try #require(own.min()))
        #expect(abs(difference - lead) < 0.011, "\(output)")
        checked += 1
        (own, others) = ([], [])
      }
    }
    #expect(checked > 0)
  }

  /// The advice explains with the settings that were tried.
  @Test func theAdviceToExplainHasTheSettings() throws {
    let tap = "recordings/small-pad/tap-5.yml"
    let replay = try Command.run("replay", "--set", "tap.duration=60", tap)
    let advice = "to see why: gliss explain --set tap.duration=60 \(tap)"
    #expect(replay.output.contains("nothing recognized; \(advice)"))
    let explain = try Command.run("explain", "--set", "tap.duration=60", tap)
    #expect(explain.output.contains("60 ms are allowed (tap.duration)"))
  }

  @Test func theAdviceToExplainHasTheDescription() throws {
    let folder = try TemporaryFolder()
    let axes = try folder.write("N: Pad\nA: 35 0 900 0 0 9\nA: 36 0 600 0 0 9\n", as: "my pad.desc")
    let events = try folder.write("E: 1.0 0000 0000 0\n", as: "mine.events")
    let replay = try Command.run("replay", "--axes", axes, "--set", "tap.duration=60", events)
    let options = "--axes '\(axes)' --set tap.duration=60"
    #expect(replay.output.contains("gliss explain \(options) \(events)"), "\(replay.output)")
  }

  @Test func theSecondSessionIsMarkedInJSON() throws {
    let plain = try Command.run("explain", "--format", "jsonl", Command.demo)
    let both = try Command.run(
      "explain", "--format", "jsonl", "--set", "motion.floor=3", Command.demo)
    let objects = try objects(both)
    let first = objects.filter { $0["set"] == nil }
    let second = objects.filter { $0["set"] as? String == "motion.floor=3" }
    #expect(first.count == plain.lines.count)
    #expect(!second.isEmpty)
    #expect(first.count + second.count == objects.count)
  }

  @Test func aPipeIsComparedInOnePass() throws {
    let arguments = "explain --set motion.floor=3 --format jsonl"
    let file = try Command.shell("exec gliss \(arguments) \(Command.demo)")
    #expect(file.output.contains("\"set\""))
    for way in [
      "gliss \(arguments) - <DEMO", "cat DEMO | gliss \(arguments) /dev/stdin",
      "gliss \(arguments) <(cat DEMO)", "cat DEMO | gliss \(arguments) -",
    ] {
      let other = try Command.shell(way.replacing("DEMO", with: Command.demo))
      #expect(other.status == 0, "\(way): \(other.errors)")
      let said = other.output.replacing(#/"file":"[^"]*"/#) { _ in "\"file\":\"\(Command.demo)\"" }
      #expect(said == file.output, "\(way)")
    }
  }

  /// Two slots. A finger taps, a thumb lands low meanwhile and stays, and another finger moves: the
  /// thumb is the first of those that are down, but the second of the stroke.
  private static let thumbThatLandsSecond: String = {
    var lines = [
      "N: Two slots", "A: 35 0 4000 0 0 40", "A: 36 0 2400 0 0 40", "A: 2f 0 1 0 0 0",
      "A: 39 0 65535 0 0 0",
    ]
    func frame(_ milliseconds: Int, _ events: String...) {
      for event in events + ["0000 0000 0"] {
        lines.append("E: 1.\(100_000 + milliseconds * 1000) \(event)")
      }
    }
    frame(
      0, "0003 002f 0", "0003 0039 1", "0003 0035 2400", "0003 0036 1000", "0001 014a 1",
      "0001 0145 1")
    frame(
      40, "0003 002f 1", "0003 0039 2", "0003 0035 1600", "0003 0036 2240", "0001 0145 0",
      "0001 014d 1")
    frame(80, "0003 002f 0", "0003 0039 -1", "0001 0145 1", "0001 014d 0")
    frame(
      480, "0003 0039 3", "0003 0035 2400", "0003 0036 1000", "0001 0145 0", "0001 014d 1")
    for step in 1..<30 { frame(480 + 8 * step, "0003 0035 \(2400 + step * 20)") }
    frame(800, "0003 0039 -1", "0003 002f 1", "0003 0039 -1", "0001 014a 0", "0001 014d 0")
    return (lines + [""]).joined(separator: "\n")
  }()

  @Test func aFingerHasTheNumberThatItHasInThePicture() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Data(Self.thumbThatLandsSecond.utf8), as: "thumb.evemu")
    let explained = try Command.run("explain", path).output
    #expect(explained.contains("finger 2 rests, one of 2 by rule resting, "), "\(explained)")
    #expect(try Command.run("plot", path).output.contains("480 ms: finger 2 rests, one of 2. "))
    let decisions = try objects(Command.run("explain", "--format", "jsonl", path))
    #expect(decisions.first?["rested"] as? Int == 2)
    #expect(decisions.last?["travel_of"] as? [Int] == [3])
  }

  /// Also if others have landed since, and for fingers that made nothing.
  @Test func timesCountFromTheFirstFinger() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Data(Self.thumbThatLandsSecond.utf8), as: "thumb.evemu")
    let delays = try Command.run("explain", path).lines.compactMap {
      $0.firstMatch(of: /([0-9]+) ms after the first finger landed$/).map { "\($0.1)" }
    }
    #expect(delays == ["480", "800"])
  }

  @Test func aTapThatSlidIsMeasured() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Data(Self.thumbThatLandsSecond.utf8), as: "thumb.evemu")
    let words = "a finger slid 14.50 mm, 5 mm are allowed (tap.movement)"
    #expect(try Command.run("explain", path).output.contains(words))
    let last = try objects(Command.run("explain", "--format", "jsonl", path)).last
    let fault = try #require(last?["fault"] as? [String: Any])
    #expect(fault["kind"] as? String == "slid" && fault["setting"] as? String == "tap.movement")
    #expect(fault["measured"] as? Double == 14.5 && fault["limit"] as? Double == 5)
    #expect(fault["unit"] as? String == "mm")
  }

  @Test func aFingerThatLandedAfterALiftWasNotLate() throws {
    let frames = [
      (100, "0003 002f 0,0003 0039 1,0003 0035 1000,0003 0036 1200,0001 014a 1,0001 0145 1"),
      (140, "0003 002f 1,0003 0039 2,0003 0035 1880,0003 0036 1200,0001 0145 0,0001 014d 1"),
      (160, "0003 002f 0,0003 0039 -1,0001 0145 1,0001 014d 0"),
      (180, "0003 0039 3,0003 0035 1000,0003 0036 1200,0001 0145 0,0001 014d 1"),
      (400, "0003 0039 -1,0003 002f 1,0003 0039 -1,0001 014a 0,0001 014d 0"),
    ]
    let head = twoFingers((0, 0), (0, 0), frames: 1).components(separatedBy: "\n")
    var lines = Array(head.prefix(5))
    for (time, events) in frames {
      for event in "\(events),0000 0000 0".split(separator: ",") {
        lines.append("E: 1.\(time)000 \(String(event))")
      }
    }
    let folder = try TemporaryFolder()
    let text = lines.joined(separator: "\n") + "\n"
    let path = try folder.write(Data(text.utf8), as: "again.evemu")
    let command = try Command.run("explain", path)
    #expect(
      command.output.contains("a finger landed after another had lifted"), "\(command.errors)")
    let last = try objects(Command.run("explain", "--format", "jsonl", path)).last
    #expect(last?["fault"] as? [String: String] == ["kind": "landedAfterLift"])
    // the one that lifted first has a travel, too
    #expect(last?["travel_of"] as? [Int] == [1, 2, 3])
  }

  @Test func oneStrokeCanBeExplained() throws {
    let all = try Command.run("explain", Command.demo)
    let heads = all.lines.filter { $0.hasPrefix("stroke ") }
    #expect(heads.count > 3 && heads[2].hasPrefix("stroke 3, "))
    let third = try Command.run("explain", "--stroke", "3", Command.demo)
    #expect(third.status == 0)
    #expect(third.lines.filter { $0.hasPrefix("stroke ") } == [heads[2]])
    let objects = try objects(
      Command.run("explain", "--stroke", "3", "--format", "jsonl", Command.demo))
    #expect(Set(objects.compactMap { $0["contact"] as? Double }).count == 1)
  }

  @Test func aStrokeThatDoesNotExistIsAnError() throws {
    let count = try Command.run("explain", Command.demo).lines.count { $0.hasPrefix("stroke ") }
    for format in ["text", "jsonl"] {
      let command = try Command.run(
        "explain", "--stroke", "99", "--format", format, Command.demo)
      #expect(command.status == 2 && command.output == "")
      let words = "demo.yml has \(count) strokes, so there is no number 99"
      #expect(command.errors.contains(words), "\(command.errors)")
    }
    let zero = try Command.run("explain", "--stroke", "0", Command.demo)
    #expect(zero.status == 2 && zero.errors.contains("--stroke counts from 1"))
  }

  /// What a pinch of two leaves is computed from the parts, as docs/gestures.md says. What it may
  /// cost beyond that is a penalty.
  @Test func theFittedPartsArePrinted() throws {
    var checked = 0
    for decision in try objects(Command.run("explain", "--format", "jsonl", Command.demo)) {
      guard let costs = decision["unexplained_mm"] as? [String: Double],
        decision["fingers"] as? Int == 2, let pinch = costs["pinch"]
      else { continue }
      let parts = try #require(decision["parts_mm"] as? [String: Double], "\(decision)")
      let together = try #require(parts["together"])
      let apart = try #require(parts["apart"])
      let around = try #require(parts["around"])
      let off = max(0, together - 0.8 * apart)
      #expect(pinch > (around * around + off * off).squareRoot() - 0.003, "\(decision)")
      checked += 1
    }
    #expect(checked > 4)
    let output = try Command.run("explain", Command.demo).output
    let line =
      /fingers moved [0-9., ]+ mm since they settled: together [0-9.]+ mm, apart [0-9.]+, around [0-9.]+/
    #expect(output.contains(line))
  }

  @Test func aBadFileIsStatusTwo() throws {
    let command = try Command.run("explain", "no-such-file")
    #expect(command.status == 2)
    #expect(command.errors.hasPrefix("gliss: no-such-file: "))
  }
}
