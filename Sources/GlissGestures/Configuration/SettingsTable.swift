extension GestureConfiguration {
  /// All settings, in the order a stroke meets them.
  public static let settings: [Setting] = [
    Setting(
      "landing.grace", \.landing.grace, "ms", 0...200,
      "How long after the last finger has landed nothing is decided: more may come.",
      source:
        "people land the fingers of a swipe up to 40 ms apart; libinput 1.31 waits 100 ms after a change of count"
    ),
    Setting(
      "landing.settle", \.landing.settle, "ms", 0...100,
      "How long a finger that has landed is left to settle before its motion counts.",
      source: "contacts move up to 1 mm while they flatten, 15 to 30 ms"),
    Setting(
      "lift.grace", \.lift.grace, "ms", 0...500,
      "How long after a finger has lifted the others decide nothing.",
      source: "fingers of one hand leave up to 60 ms apart; libinput 1.31: 100 ms"),
    Setting(
      "lift.flickTravel", \.lift.flickTravel, "mm", 0.5...20,
      "How far fingers that leave before they were decided must have gone to be a flick.",
      source: "two-finger taps of real recordings slide up to 2.1 mm"),
    Setting(
      "motion.floor", \.motion.floor, "mm", 0.1...5,
      "Travel below which nothing is decided, however still the fingers lay.",
      source:
        "real pads tremble by 0.012 to 0.025 mm a frame (95th percentile 0.1); libinput 1.31: 1 to 1.5 mm"
    ),
    Setting(
      "motion.jitterFactor", \.motion.jitterFactor, "×", 0...20,
      "What is added to the floor for each mm the fingers tremble (standard deviation).",
      source: "three standard deviations: one false step in 370"),
    Setting(
      "motion.stillLimit", \.motion.stillLimit, "mm", 0.05...5,
      "A finger that has moved less is still.",
      source: "as the floor"),
    Setting(
      "motion.stillShare", \.motion.stillShare, "×", 0...0.5,
      "A finger that has moved less than this share of the farthest one is still.",
      source: "fingers of one hand differ by up to 20 % in gain and 25 ms in start"),
    Setting(
      "motion.driftTime", \.motion.driftTime, "ms", 10...5000,
      "How fast a still finger's drift is forgotten (time constant).",
      source: "slower than the beginning of a stroke, faster than a hand that sways"),
    Setting(
      "motion.jump", \.motion.jump, "mm", 5...100,
      "A contact that goes this far in 12.5 ms, out of the blue, is another finger's.",
      source: "pads that merge or swap fingers; libinput 1.31: 20 mm"),
    Setting(
      "dominance.drag", \.dominance.drag, "×", 1...10,
      "Travel together for each mm of travel against each other or around.",
      source: "fingers of one drag differ by up to a third of their way; pinches drift by more"),
    Setting(
      "dominance.pinch", \.dominance.pinch, "×", 0.3...10,
      "Travel apart or inward for each mm of travel together.",
      source: "a pinch may drift as far as it opens; a drag never opens that far"),
    Setting(
      "dominance.rotate", \.dominance.rotate, "×", 0.3...10,
      "Travel around for each mm of travel together.",
      source: "as for a pinch"),
    Setting(
      "dominance.caution", \.dominance.caution, "mm", 0...5,
      "What pinches and rotations need beyond the floor.",
      source: "a finger that lands late or lags looks like one for 20 ms"),
    Setting(
      "dominance.pinchOrRotate", \.dominance.pinchOrRotate, "×", 1...10,
      "Pinch against rotation, and the other way round.",
      source: "measured on synthetic hands"),
    Setting(
      "dominance.patience", \.dominance.patience, "mm", 1...30,
      "Travel after which the longest way wins, however close the others are.",
      source: "Chromium is certain of a pinch after 8 mm"),
    Setting(
      "anchor.travel", \.anchor.travel, "mm", 0.5...20,
      "How far the moving finger must go before the still one is taken to stay.",
      source: "a finger of the same stroke follows before; libinput 1.31: 4 mm"),
    Setting(
      "anchor.duration", \.anchor.duration, "ms", 0...500,
      "How long the moving finger must have moved.",
      source: "fingers of one stroke start up to 75 ms apart (90th percentile of 120 real drags)"),
    Setting(
      "anchor.lag", \.anchor.lag, "×", 0...0.5,
      "A finger along the line that has moved more than this share of the moving one only lags.",
      source: "75 ms into a stroke a finger that is 45 ms late has gone a sixteenth of it"),
    Setting(
      "anchor.landingWindow", \.anchor.landingWindow, "ms", 0...2000,
      "Only fingers that landed within this of each other make a pinch around a still one.",
      source: "fingers of one gesture land within 90 ms; one that rests lies there long before"),
    Setting(
      "anchor.angle", \.anchor.angle, "°", 5...85,
      "Up to this angle from the line between the fingers motion is a pinch, beyond it a drag.",
      source: "half of a quarter turn"),
    Setting(
      "anchor.turns", \.anchor.turns, "0/1", 0...1,
      "1: motion across the line around a still finger is a rotation instead of a drag.",
      source: "a finger that rests is more often there by chance"),
    Setting(
      "thumb.zone", \.thumb.zone, "mm", 0...50,
      "How far up from the lower edge a thumb is expected.",
      source: "thumbs of real recordings lie up to 7 mm high, fingers that rest 9.5 mm and more"),
    Setting(
      "thumb.zoneShare", \.thumb.zoneShare, "×", 0...0.5,
      "No zone is a larger share of the height than this.",
      source: "small pads are 38 mm high"),
    Setting(
      "thumb.nearShare", \.thumb.nearShare, "×", 0...1,
      "In this part of the zone, next to the edge, half the head start is enough.",
      source: "so low only thumbs lie"),
    Setting(
      "thumb.largeZone", \.thumb.largeZone, "mm", 0...50,
      "The same for a contact that is larger than the others.",
      source: "a thumb lies flat, and higher on a large pad"),
    Setting(
      "thumb.largerBy", \.thumb.largerBy, "×", 1...5,
      "By how much a thumb is larger than the fingers beside it.",
      source: "thumb pads are a third wider than finger tips"),
    Setting(
      "thumb.headStart", \.thumb.headStart, "ms", 0...2000,
      "How long before the others a thumb lies on the pad.",
      source: "450 to 870 ms in real recordings; fingers of one gesture land within 150"),
    Setting(
      "thumb.largeHeadStart", \.thumb.largeHeadStart, "ms", 0...2000,
      "The same for a contact that is larger than the others.",
      source: "twice the spread of fingers that land together"),
    Setting(
      "thumb.travel", \.thumb.travel, "mm", 0.1...10,
      "How far the others must move before a still contact at the side is known to rest.",
      source: "twice the floor"),
    Setting(
      "thumb.certainTravel", \.thumb.certainTravel, "mm", 0.5...20,
      "How far others must move before a still finger that is not low is known to rest.",
      source: "fingers of one stroke start up to 70 ms apart in real recordings"),
    Setting(
      "thumb.wakeShare", \.thumb.wakeShare, "×", 0.1...1,
      "A resting finger that moves this share of what the others move takes part again.",
      source: "a thumb that rolls beside a drag moves a tenth of it; a hand's edge, up to a third"),
    Setting(
      "thumb.wakeTravel", \.thumb.wakeTravel, "mm", 0.1...10,
      "And at least this far it must move.",
      source: "thumbs roll by up to 1 mm"),
    Setting(
      "thumb.sleepShare", \.thumb.sleepShare, "×", 0...1,
      "A suspected thumb or palm rests that has moved less than this share of the others, and less than it takes to wake.",
      source: "a little less than wakes it, so that it does not flutter"),
    Setting(
      "palm.size", \.palm.size, "mm", 10...100,
      "From this diameter a contact is a palm.",
      source: "thumbs lying flat measure up to 20 mm"),
    Setting(
      "palm.zone", \.palm.zone, "mm", 0...50,
      "How near to a side edge a still contact is the hand's edge.",
      source: "half of the hand's edge lies beyond the pad's"),
    Setting(
      "typing.disables", \.typing.disables, "0/1", 0...1,
      "1: touches that begin while somebody types are palms; 0: they are fingers.",
      source: "libinput and every desktop have it on"),
    Setting(
      "typing.afterKey", \.typing.afterKey, "ms", 0...2000,
      "How long after a single key touches that begin are palms.",
      source: "libinput 1.31: 200 ms"),
    Setting(
      "typing.afterKeys", \.typing.afterKeys, "ms", 0...5000,
      "How long after a key that followed another while somebody typed.",
      source: "libinput 1.31: 500 ms"),
    Setting(
      "click.grace", \.click.grace, "ms", 0...1000,
      "How long after the button changes the fingers decide nothing.",
      source: "the pad tilts and shifts every contact"),
    Setting(
      "click.travel", \.click.travel, "mm", 0.5...20,
      "After a click fingers must go this far.",
      source: "pressing the pad moves a finger by up to 2.3 mm in real recordings"),
    Setting(
      "tap.duration", \.tap.duration, "ms", 50...1000,
      "From the first finger down to the last one up.",
      source: "libinput 1.31: 180 ms, touchegg 150, Hammer.js 250"),
    Setting(
      "tap.movement", \.tap.movement, "mm", 0.2...10,
      "How far a finger may slide.",
      source:
        "real taps slide up to 4 mm; libinput 1.31: 1.3 mm, which loses one sliding tap in eight"),
    Setting(
      "tap.slide", \.tap.slide, "mm", 0.2...10,
      "While fingers may still tap, motion counts only if it is foreseen to get this far.",
      source: "pads' contacts jump by up to 2 mm as fingers land"),
    Setting(
      "tap.foresight", \.tap.foresight, "ms", 0...200,
      "How far ahead motion is foreseen for that.",
      source: "three frames of an ordinary pad"),
    Setting(
      "tap.landingSpread", \.tap.landingSpread, "ms", 10...500,
      "Fingers of one tap land within this of each other.",
      source: "two fingers drumming land further apart"),
    Setting(
      "tap.overlap", \.tap.overlap, "×", 0...1,
      "Fingers of one tap share at least this part of their time on the pad.",
      source: "fingers that drum share a tenth to a third"),
    Setting(
      "tap.gap", \.tap.gap, "ms", 50...1000,
      "The next tap of a double tap begins within this of the last one's end.",
      source: "Hammer.js and Android: 300 ms"),
    Setting(
      "tap.distance", \.tap.distance, "mm", 2...100,
      "And its middle is within this of the last one's.",
      source: "Android: 100 dp, about 16 mm"),
    Setting(
      "tap.manyDistance", \.tap.manyDistance, "mm", 2...200,
      "The same for three and more fingers.",
      source: "a pad that shows two of five fingers shows others the next time"),
    Setting(
      "tap.quiet", \.tap.quiet, "ms", 0...500,
      "A contact within this of a gesture is a bounce, no tap.",
      source: "51 ms in real recordings"),
    Setting(
      "tapDrag.window", \.tapDrag.window, "ms", 50...1000,
      "The finger returns within this.",
      source: "libinput 1.31: 180 ms for one finger"),
    Setting(
      "tapDrag.travel", \.tapDrag.travel, "mm", 0.5...20,
      "And moves this far.",
      source: "more than the second of two taps slides"),
    Setting(
      "hold.duration", \.hold.duration, "ms", 40...5000,
      "How long they must lie still.",
      source: "long press elsewhere: 400 to 500 ms; fusuma: 700; libinput 1.31: 40 and 180 ms"),
    Setting(
      "hold.singleDuration", \.hold.singleDuration, "ms", 40...5000,
      "The same for a single finger.",
      source:
        "fingers and thumbs that wait for others lie still for 130 to 870 ms in real recordings"),
    Setting(
      "hold.movement", \.hold.movement, "mm", 0.1...10,
      "How far a finger may stray.",
      source:
        "resting fingers of real recordings stray by 0.4 to 0.8 mm, and contacts shift by 1 mm"),
    Setting(
      "edgeSwipe.zone", \.edgeSwipe.zone, "mm", 0...20,
      "How near to the edge every finger must land.",
      source: "contacts are placed to about a millimetre as they land"),
    Setting(
      "edgeSwipe.travel", \.edgeSwipe.travel, "mm", 1...30,
      "How far in one finger must come before it counts.",
      source: "farther than a tap slides"),
    Setting(
      "edgeSwipe.speed", \.edgeSwipe.speed, "mm/s", 0...500,
      "And so fast from landing on.",
      source: "slower fingers land on the edge and then move"),
    Setting(
      "edgeSwipe.frame", \.edgeSwipe.frame, "ms", 0...100,
      "How long before it landed a finger must have been outside.",
      source: "a frame of the slowest pads (60 Hz), and a fifth for fingers that speed up"),
    Setting(
      "edgeSwipe.longestStep", \.edgeSwipe.longestStep, "mm", 0...50,
      "What lands deeper did not cross the edge, however fast it is.",
      source: "a frame at 350 mm/s"),
    Setting(
      "edgeSwipe.duration", \.edgeSwipe.duration, "ms", 50...2000,
      "Within this of landing.",
      source: "a finger that crosses the edge moves already"),
    Setting(
      "correction.window", \.correction.window, "ms", 0...1000,
      "How long after a decision it may still be corrected.",
      source: "libinput 1.31: 300 ms, one way only"),
    Setting(
      "correction.travel", \.correction.travel, "mm", 1...50,
      "No correction once the fingers have gone this far.",
      source: "Chromium is certain of a pinch after 8 mm"),
    Setting(
      "correction.dominance", \.correction.dominance, "×", 1...20,
      "By how much the other kind must beat the decided one.",
      source: "more than any decision needs"),
    Setting(
      "drag.gain", \.drag.gain, "×", 0.01...100,
      "Points of translation for each point the fingers move.",
      source: "1: content follows the fingers"),
    Setting(
      "drag.velocityWindow", \.drag.velocityWindow, "ms", 5...200,
      "Over how long velocity is measured.",
      source: "three to five frames of an ordinary pad"),
  ]
}
