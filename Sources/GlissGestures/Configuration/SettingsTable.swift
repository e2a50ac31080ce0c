extension GestureConfiguration {
  /// All settings, in the order in which they affect a stroke.
  public static let settings: [Setting] = [
    Setting(
      "landing.grace", \.landing.grace, 50, "ms", 0...200,
      "How long after the last finger has landed nothing is decided: more may come.",
      source:
        "people land the fingers of a swipe up to 40 ms apart; libinput 1.31 waits 100 ms after a change of count"
    ),
    Setting(
      "landing.settle", \.landing.settle, 35, "ms", 0...100,
      "How long a finger that has landed is left to settle before its motion counts.",
      source: "contacts move up to 1 mm while they flatten, 15 to 30 ms"),
    Setting(
      "lift.grace", \.lift.grace, 80, "ms", 0...500,
      "How long after a finger has lifted the others decide nothing.",
      source: "fingers of one hand leave up to 60 ms apart; libinput 1.31: 100 ms"),
    Setting(
      "lift.flickTravel", \.lift.flickTravel, 2.5, "mm", 0.5...20,
      "How far fingers that leave before they were decided must have gone to be a flick.",
      source: "two-finger taps of real recordings slide up to 2.1 mm"),
    Setting(
      "motion.floor", \.motion.floor, 0.3, "mm", 0.1...5,
      "Travel below which nothing is decided, however still the fingers lay.",
      source:
        "real pads tremble by 0.012 to 0.025 mm a frame (95th percentile 0.1); libinput 1.31: 1 to 1.5 mm"
    ),
    Setting(
      "motion.jitterFactor", \.motion.jitterFactor, 3, "×", 0...20,
      "What is added to the floor for each mm the fingers tremble (standard deviation).",
      source: "three standard deviations: one false step in 370"),
    Setting(
      "motion.driftTime", \.motion.driftTime, 250, "ms", 10...5000,
      "How fast a still finger's drift is forgotten (time constant).",
      source: "slower than the beginning of a stroke, faster than a hand that sways"),
    Setting(
      "motion.jump", \.motion.jump, 20, "mm", 5...100,
      "A contact that goes this far in 12.5 ms, out of the blue, is another finger's.",
      source: "pads that merge or swap fingers; libinput 1.31: 20 mm"),
    Setting(
      "lead.caution", \.lead.caution, 0.4, "mm", 0...5,
      "What pinches and rotations need beyond the floor; a finger that lies still, twice.",
      source:
        "a finger that lags looks like one for 20 ms; before a click a hand drifts by 2.4 mm"
    ),
    Setting(
      "lead.share", \.lead.share, 0.1, "×", 0...1,
      "What the cheapest meaning needs for each mm that it leaves unexplained itself.",
      source: "nothing explains a bad fit well; measured on synthetic hands"),
    Setting(
      "lead.patience", \.lead.patience, 10, "mm", 1...50,
      "Travel after which the cheapest meaning wins, however close the others are.",
      source:
        "Chromium is certain of a pinch after 8 mm; a finger may be late by 45 ms at 200 mm/s"
    ),
    Setting(
      "late.time", \.late.time, 45, "ms", 0...200,
      "How late a finger of one stroke may be.",
      source:
        "fingers of one stroke start up to 75 ms apart in real drags, half of them within 20"
    ),
    Setting(
      "late.charge", \.late.charge, 0.4, "×", 0...1,
      "What lateness costs: this share of the travel that it explains.",
      source: "between a finger that is surely late and one that surely lies still"),
    Setting(
      "anchor.turns", \.anchor.turns, 0, "0/1", 0...1,
      "1: motion across the line around a still finger is a rotation instead of a drag.",
      source: "a finger that rests is more often there by chance"),
    Setting(
      "thumb.zone", \.thumb.zone, 10.8, "mm", 0...50,
      "How far up from the lower edge a thumb is expected.",
      source:
        "thumbs of real recordings lie up to 7 mm high, fingers that rest on purpose 9.5 mm and more"
    ),
    Setting(
      "thumb.clearance", \.thumb.clearance, 18, "mm", 0...50,
      "How far below the other fingers a thumb is expected.",
      source:
        "a hand's thumb lies 20 to 40 mm below its fingers, two fingers of a drag lie side by side"
    ),
    Setting(
      "thumb.headStart", \.thumb.headStart, 48, "ms", 0...2000,
      "How long before the others a thumb lies on the pad.",
      source: "fingers of one hand land within 40 ms"),
    Setting(
      "thumb.wakeShare", \.thumb.wakeShare, 0.47, "×", 0.1...1,
      "A resting finger that moves this share of what the others move takes part again.",
      source: "a thumb that rolls beside a drag moves a tenth of it; a hand's edge, up to a third"),
    Setting(
      "thumb.wakeTravel", \.thumb.wakeTravel, 1.2, "mm", 0.1...10,
      "And at least this far it must move.",
      source: "thumbs roll by up to 1 mm"),
    Setting(
      "palm.size", \.palm.size, 24, "mm", 10...100,
      "From this diameter a contact is a palm.",
      source: "thumbs lying flat measure up to 20 mm"),
    Setting(
      "palm.zone", \.palm.zone, 5, "mm", 0...50,
      "How near to a side edge a still contact is the hand's edge.",
      source: "half of the hand's edge lies beyond the pad's"),
    Setting(
      "typing.disables", \.typing.disables, 1, "0/1", 0...1,
      "1: touches that begin while somebody types are palms; 0: they are fingers.",
      source: "libinput and every desktop have it on"),
    Setting(
      "typing.afterKey", \.typing.afterKey, 200, "ms", 0...2000,
      "How long after a single key touches that begin are palms.",
      source: "libinput 1.31: 200 ms"),
    Setting(
      "typing.afterKeys", \.typing.afterKeys, 500, "ms", 0...5000,
      "How long after a key that followed another while somebody typed.",
      source: "libinput 1.31: 500 ms"),
    Setting(
      "click.grace", \.click.grace, 100, "ms", 0...1000,
      "How long after the button changes the fingers decide nothing.",
      source: "the pad tilts and shifts every contact"),
    Setting(
      "click.travel", \.click.travel, 3, "mm", 0.5...20,
      "After a click fingers must go this far.",
      source: "pressing the pad moves a finger by up to 2.3 mm in real recordings"),
    Setting(
      "tap.duration", \.tap.duration, 250, "ms", 50...1000,
      "From the first finger down to the last one up.",
      source: "libinput 1.31: 180 ms, touchegg 150, Hammer.js 250"),
    Setting(
      "tap.movement", \.tap.movement, 5, "mm", 0.2...10,
      "How far a finger may slide.",
      source:
        "real taps slide up to 4 mm; libinput 1.31: 1.3 mm, which loses one sliding tap in eight"
    ),
    Setting(
      "tap.slide", \.tap.slide, 3, "mm", 0.2...10,
      "While fingers may still tap, motion counts only if it is foreseen to get this far.",
      source: "pads' contacts jump by up to 2 mm as fingers land"),
    Setting(
      "tap.foresight", \.tap.foresight, 40, "ms", 0...200,
      "How far ahead motion is foreseen for that.",
      source: "real taps that slide slow down within it; with 45 ms the first of them is a drag"),
    Setting(
      "tap.landingSpread", \.tap.landingSpread, 90, "ms", 10...500,
      "Fingers of one tap land within this of each other.",
      source: "two fingers drumming land further apart"),
    Setting(
      "tap.overlap", \.tap.overlap, 0.35, "×", 0...1,
      "Fingers of one tap share at least this part of their time on the pad.",
      source: "fingers that drum share a tenth to a third"),
    Setting(
      "tap.gap", \.tap.gap, 300, "ms", 50...1000,
      "The next tap of a double tap begins within this of the last one's end.",
      source: "Hammer.js and Android: 300 ms"),
    Setting(
      "tap.distance", \.tap.distance, 15, "mm", 2...100,
      "And its middle is within this of the last one's.",
      source: "Android: 100 dp, about 16 mm"),
    Setting(
      "tap.manyDistance", \.tap.manyDistance, 45, "mm", 2...200,
      "The same for three and more fingers.",
      source: "a pad that shows two of five fingers shows others the next time"),
    Setting(
      "tap.quiet", \.tap.quiet, 100, "ms", 0...500,
      "A contact within this of a gesture is a bounce, no tap.",
      source: "51 ms in real recordings"),
    Setting(
      "tapDrag.window", \.tapDrag.window, 200, "ms", 50...1000,
      "The finger returns within this.",
      source: "libinput 1.31: 180 ms for one finger"),
    Setting(
      "tapDrag.travel", \.tapDrag.travel, 3, "mm", 0.5...20,
      "And moves this far.",
      source: "more than the second of two taps slides"),
    Setting(
      "hold.duration", \.hold.duration, 600, "ms", 40...5000,
      "How long they must lie still.",
      source: "long press elsewhere: 400 to 500 ms; fusuma: 700; libinput 1.31: 40 and 180 ms"),
    Setting(
      "hold.singleDuration", \.hold.singleDuration, 900, "ms", 40...5000,
      "The same for a single finger.",
      source:
        "fingers and thumbs that wait for others lie still for 130 to 870 ms in real recordings"
    ),
    Setting(
      "hold.movement", \.hold.movement, 2, "mm", 0.1...10,
      "How far a finger may stray.",
      source:
        "resting fingers of real recordings stray by 0.4 to 0.8 mm, and contacts shift by 1 mm"
    ),
    Setting(
      "edgeSwipe.zone", \.edgeSwipe.zone, 1.5, "mm", 0...20,
      "How near to the edge every finger must land.",
      source: "contacts are placed to about a millimetre as they land"),
    Setting(
      "edgeSwipe.travel", \.edgeSwipe.travel, 6, "mm", 1...30,
      "How far in one finger must come before it counts.",
      source: "farther than a tap slides"),
    Setting(
      "edgeSwipe.speed", \.edgeSwipe.speed, 30, "mm/s", 0...500,
      "And so fast from landing on.",
      source: "slower fingers land on the edge and then move"),
    Setting(
      "edgeSwipe.frame", \.edgeSwipe.frame, 20, "ms", 0...100,
      "How long before it landed a finger must have been outside.",
      source: "a frame of the slowest pads (60 Hz), and a fifth for fingers that speed up"),
    Setting(
      "edgeSwipe.longestStep", \.edgeSwipe.longestStep, 7, "mm", 0...50,
      "What lands deeper did not cross the edge, however fast it is.",
      source: "a frame at 350 mm/s"),
    Setting(
      "edgeSwipe.duration", \.edgeSwipe.duration, 200, "ms", 50...2000,
      "Within this of landing.",
      source: "a finger that crosses the edge moves already"),
    Setting(
      "correction.window", \.correction.window, 150, "ms", 0...1000,
      "How long after a decision it may still be corrected.",
      source: "libinput 1.31: 300 ms, one way only"),
    Setting(
      "correction.travel", \.correction.travel, 8, "mm", 1...50,
      "No correction once the fingers have gone this far.",
      source: "Chromium is certain of a pinch after 8 mm"),
    Setting(
      "correction.lead", \.correction.lead, 0.6, "mm", 0...10,
      "By how much the other kind must beat the decided one.",
      source: "twice the floor"),
    Setting(
      "correction.share", \.correction.share, 0.4, "×", 0...1,
      "And by how much more for each mm that the farthest finger has gone.",
      source: "more than any decision needs"),
    Setting(
      "drag.gain", \.drag.gain, 1, "×", 0.01...100,
      "Points of translation for each point the fingers move.",
      source: "1: content follows the fingers"),
    Setting(
      "drag.velocityWindow", \.drag.velocityWindow, 40, "ms", 5...200,
      "Over how long velocity is measured.",
      source: "three to five frames of an ordinary pad"),
  ]
}
