import GlissConfiguration
import Testing

@Suite struct MistakeTests {
  /// A rule that is right but for what stands in the middle.
  static func gesture(_ text: String) -> String {
    "gestures: [{gesture: \(text), do: {mode: none}}]"
  }
  static func hotkey(_ text: String) -> String { "hotkeys: [{hotkey: \(text), do: {mode: none}}]" }
  static func act(_ text: String) -> String { "gestures: [{gesture: tap, do: \(text)}]" }

  static let keys: [(String, String)] = [
    (
      "a",
      "1:1+1 expected the file (include, settings, limits, devices, gestures and hotkeys), not “a”"
    ),
    (
      "[]",
      "1:1+2 expected the file (include, settings, limits, devices, gestures and hotkeys), not a list"
    ),
    (
      "- {gesture: tap, do: {mode: none}}",
      "1:1+1 expected the file (include, settings, limits, devices, gestures and hotkeys), not a list; put gestures: above it"
    ),
    ("gesture: []", "1:1+7 unknown key “gesture” in the file; did you mean gestures?"),
    (
      "xyzzy: []",
      "1:1+5 unknown key “xyzzy” in the file; its keys are include, settings, limits, devices, gestures and hotkeys"
    ),
    ("[a]: b", "1:1+3 expected a key of the file, not a list or more keys"),
    ("hotkeys: []\n\"hotkeys\": []", "2:1+9 duplicate key hotkeys, first in line 1"),
    ("gestures: x", "1:11+1 expected a list of rules, not “x”"),
    (
      "gestures: [x]",
      "1:12+1 expected a gesture's rule (name, gesture, fingers, direction, edge, count, afterTap, travel, scale, turn, speed, duration, rest, modifiers, mode, device, application, settings, consume, phase, hold, linger, do, repeat, begin, change, end, cancel and steps), not “x”"
    ),
    (
      "<<: {a: b}",
      "1:1+2 keys cannot be merged with <<; an alias stands for a whole value, as in do: *volume"
    ),
    (
      "gestures: [{swipe: 3, gesture: swipe, do: {run: [foot]}}]",
      "1:13+5 swipe is a gesture: write gesture: swipe and fingers: 3"
    ),
    (
      gesture("swipe, fingres: 3"),
      "1:29+7 unknown key “fingres” in a gesture's rule; did you mean fingers?"
    ),
    (
      "gestures: [{do: {mode: none}}]",
      "1:12+18 a gesture's rule needs the key gesture, which is a gesture: drag, pinch, rotate, swipe, tap, hold or edgeSwipe"
    ),
    (
      "hotkeys: [{do: {mode: none}}]", "1:11+18 a hotkey's rule needs hotkey, as in hotkey: super+t"
    ),
    (
      "gestures: [{gesture: tap}]",
      "1:12+14 the rule does nothing: give it do, as in do: {run: [foot]}"
    ),
    (
      "hotkeys: [{hotkey: super+a}]",
      "1:11+17 the rule does nothing: give it do, as in do: {run: [foot]}"
    ),
    (
      "gestures: [{swipe: left, do: {run: [foot]}}]",
      "1:13+5 swipe is a gesture: write gesture: swipe and direction: left"
    ),
    (
      gesture("swipe, device: touchpad"),
      "1:37+8 expected a device (name, id and kind), not “touchpad”: write {kind: touchpad}"
    ),
    (
      gesture("swipe, device: 'Logi*'"),
      "1:37+7 expected a device (name, id and kind), not “Logi*”: write {name: 'Logi*'}"
    ),
    (
      gesture("swipe, settings: {motion: {floor: 1}}"),
      "1:48+10 expected a setting's value, as in 0.5 mm, not keys with values: a setting's name is one word, as in motion.floor"
    ),
    (
      "hotkeys: [{tap: super, do: {run: [foot]}}]",
      "1:12+3 tap is part of a hotkey: write hotkey: tap:super"
    ),
    (
      gesture("swipe, device: {}"),
      "1:37+2 this matches every device: leave it out, or give it a name"
    ),
    (
      gesture("swipe, finger: 3"),
      "1:29+6 unknown key “finger” in a gesture's rule; did you mean fingers?"
    ),
    (
      gesture("swipe, interval: 1"),
      "1:29+8 unknown key “interval” in a gesture's rule; did you mean steps?"
    ),
    ("hotkey: true", "1:1+6 unknown key “hotkey” in the file; did you mean hotkeys?"),
    (
      gesture("swipe, on_begin: {mode: none}"),
      "1:29+8 unknown key “on_begin” in a gesture's rule; did you mean begin?"
    ),
    (
      gesture("swipe, application: {class: x}"),
      "1:43+5 unknown key “class” in an application; did you mean only?"
    ),
    (
      act("{run: a, timeout: 1 s}"), "1:40+7 unknown key “timeout” in an action; did you mean time?"
    ),
    (
      gesture("swipe, touchpad: 3"),
      "1:29+8 touchpad is a kind of device: write device: {kind: touchpad}"
    ),
    (
      "gestures: [{gesture: swipe, command: foot -e vi}]",
      "1:29+7 a command is an action: write do: {run: [foot, -e, vi]}"
    ),
    (
      "hotkeys: [{keys: super+d, do: {mode: none}}]",
      "1:12+4 what is pressed is the hotkey: write hotkey: super+d"
    ),
    (
      hotkey("super+d, repeat: true"),
      "1:29+6 repeat is part of a hotkey: write hotkey: repeat:super+d"
    ),
    (
      "hotkeys: [{hotkey: e, mods: super, do: {mode: none}}]",
      "1:23+4 modifiers are part of a hotkey, as in hotkey: super+e"
    ),
    (
      hotkey("super+d, fingers: 3"),
      "1:29+7 fingers is a key of a gesture: write the rule below gestures"
    ),
    (
      "devices: [{name: \"ELAN*\", settings: {motion.floor: 1}}]",
      "1:12+4 name says which device it is: write match: {name: \"ELAN*\"}"
    ),
    (
      "devices: [{match: {name: x}, tap.duration: 300}]",
      "1:30+12 tap.duration is a setting: write settings: {tap.duration: 300}"
    ),
  ]

  static let conditions: [(String, String)] = [
    (gesture("swpe"), "1:22+4 “swpe” is not a gesture; did you mean swipe?"),
    (
      gesture(""),
      "1:22+1 expected a gesture: drag, pinch, rotate, swipe, tap, hold or edgeSwipe, not nothing"
    ),
    (gesture("swipe, fingers: 2"), "1:38+1 a swipe has 3 to 5 fingers; with 2 it is a drag"),
    (
      gesture("edgeSwipe, fingers: 4"), "1:42+1 an edge swipe has 1 to 3 fingers"
    ),
    (gesture("drag, fingers: 3"), "1:37+1 a drag has 1 or 2 fingers; with 3 it is a swipe"),
    (
      gesture("swipe, fingers: 5..6"),
      "1:38+4 expected a number of fingers from 1 to 5, as in 3 or 3..4, not “5..6”"
    ),
    (gesture("swipe, fingers: 4..3"), "1:38+4 the bounds are in the wrong order: write 3..4"),
    (
      gesture("swipe, fingers: three"),
      "1:38+5 expected a number of fingers from 1 to 5, as in 3 or 3..4, not “three”"
    ),
    (
      gesture("swipe, fingers: [3]"),
      "1:38+3 expected a number of fingers from 1 to 5, as in 3 or 3..4, not a list; only one can stand here"
    ),
    (
      gesture("swipe, fingers: 3-4"),
      "1:38+3 two bounds are written with two dots between them: 3..4"
    ),
    (
      gesture("swipe, fingers: '3, 4'"),
      "1:38+6 two bounds are written with two dots between them: 3..4"
    ),
    (gesture("drag, fingers: 1"), "1:37+1 a drag of one finger needs afterTap: true"),
    (gesture("drag, fingers: 2, afterTap: true"), "1:37+1 a drag after a tap has 1 finger"),
    (gesture("swipe, count: 2"), "1:29+5 count does not go with swipe; it goes with tap"),
    (gesture("tap, count: 0"), "1:34+1 expected a number from 1 to 9, not “0”"),
    (
      gesture("tap, direction: left"),
      "1:27+9 direction does not go with tap; it goes with drag, pinch, rotate, swipe and edgeSwipe"
    ),
    (gesture("pinch, direction: left"), "1:40+4 a pinch goes in or out"),
    (
      gesture("rotate, direction: clockwis"),
      "1:41+8 “clockwis” is not a direction; did you mean clockwise?"
    ),
    (
      gesture("swipe, direction: xyzzy"),
      "1:40+5 “xyzzy” is not a direction: write right, downRight, down, downLeft, left, upLeft, up, upRight, horizontal, vertical, in, out, clockwise or counterclockwise"
    ),
    (
      gesture("edgeSwipe, edge: up"), "1:39+2 “up” is not an edge: write left, right, top or bottom"
    ),
    (gesture("drag, afterTap: yes"), "1:38+3 expected true or false, not “yes”"),
    (gesture("swipe, travel: 20"), "1:37+2 the unit is missing: write 20 mm"),
    (
      gesture("pinch, direction: apart"), "1:40+5 “apart” is not a direction; did you mean out?"
    ),
    (gesture("swipe, travel: 2 cm"), "1:37+4 “cm” is not a unit of a length: write 20 mm"),
    (
      gesture("swipe, travel: far"),
      "1:37+3 expected a length with its unit, as in 20 mm, 20..80 mm or ..80 mm, not “far”"
    ),
    (
      gesture("swipe, travel: .. mm"),
      "1:37+5 expected a length with its unit, as in 20 mm, 20..80 mm or ..80 mm, not “.. mm”"
    ),
    (gesture("swipe, travel: 9..2 mm"), "1:37+7 the bounds are in the wrong order: write 2..9 mm"),
    (gesture("swipe, travel: 0.5 in"), "1:37+6 “in” is not a unit of a length: write 12.7 mm"),
    (gesture("swipe, travel: 20 px"), "1:37+5 a touchpad has no pixels: write a length in mm"),
    (
      gesture("swipe, direction: [left, right]"),
      "1:40+13 only one direction can stand here: write horizontal"
    ),
    (gesture("tap, taps: 2"), "1:27+4 unknown key “taps” in a gesture's rule; did you mean count?"),
    (gesture("swipe, travel: 200 cm"), "1:37+6 “cm” is not a unit of a length: write mm"),
    (gesture("swipe, travel: 0x10 cm"), "1:37+7 “cm” is not a unit of a length: write mm"),
    (gesture("pinch, scale: '50..80 %'"), "1:36+10 a factor has no unit: write 0.5..0.8"),
    (
      gesture("swipe, fingers: 4-3"),
      "1:38+3 expected a number of fingers from 1 to 5, as in 3 or 3..4, not “4-3”"
    ),
    (gesture("swipe, travel: '2,5 mm'"), "1:37+8 a decimal has a point: write 2.5 mm"),
    (
      gesture("swipe, travel: 20 mm .. 80 mm"),
      "1:37+14 two bounds are written with two dots between them: 20..80 mm"
    ),
    (
      gesture("swipe, rest: 0.5 to 2 s"),
      "1:35+10 two bounds are written with two dots between them: 0.5..2 s"
    ),
    (
      gesture("swipe, travel: 1.2.3-4 mm"),
      "1:37+10 expected a length with its unit, as in 20 mm, 20..80 mm or ..80 mm, not “1.2.3-4 mm”"
    ),
    (
      gesture("swipe, travel: -5 mm"),
      "1:37+5 expected a length with its unit, as in 20 mm, 20..80 mm or ..80 mm, not “-5 mm”"
    ),
    (
      gesture("swipe, travel: 1e3 mm"),
      "1:37+6 expected a length with its unit, as in 20 mm, 20..80 mm or ..80 mm, not “1e3 mm”"
    ),
    (
      gesture("swipe, travel: 5000 mm"),
      "1:37+7 5000 is out of range: a length goes from 0.1 to 1000 mm"
    ),
    (gesture("hold, duration: 2 h"), "1:38+3 “h” is not a unit of a time: write ms, s or min"),
    (gesture("pinch, scale: 1.5 mm"), "1:36+6 a factor has no unit: write 1.5"),
    (
      "settings: {motion.floor: true}",
      "1:26+4 motion.floor cannot be “true”: it is a number in mm, such as 0.3 mm"
    ),
    (
      "settings: {motion.floor: [1]}", "1:26+3 expected a setting's value, as in 0.5 mm, not a list"
    ),
    // a key with a typing mistake is not missed, too
    (
      "gestures: [{gestur: swipe, do: {run: [foot]}}]",
      "1:13+6 unknown key “gestur” in a gesture's rule; did you mean gesture?"
    ),
    // keys on the wrong level
    (
      "gestures: [{gesture: swipe, do: {run: [foot]}, time: 5 s}]",
      "1:48+4 time belongs in the action, as in do: {run: [foot], time: …}"
    ),
    (
      "gestures: [{gesture: swipe, every: 10 mm}]",
      "1:29+5 every belongs in steps, as in steps: {every: 10 mm, forward: {keys: f1}}"
    ),
    (
      "gestures: [{gesture: swipe, do: {run: [foot], consume: true}}]",
      "1:47+7 consume belongs to the rule: write it beside do"
    ),
    (
      "gestures: [{gesture: swipe, do: {keys:f1}}]",
      "1:34+7 unknown key “keys:f1” in an action; a key is followed by a colon and a blank"
    ),
    // files of other programs
    (
      "version: 1\nndevices: 1\ndevices: [{node: /dev/input/event0}]",
      "2:1+8 unknown key “ndevices” in the file, whose rules stand below gestures and hotkeys; this is a recording: 'gliss replay FILE' shows what is recognized in it"
    ),
    (
      "swipe: {3: {left: {command: foot}}}\npinch: {in: {command: foot}}",
      "1:1+5 unknown key “swipe” in the file, whose rules stand below gestures and hotkeys; if this is fusuma's file, 'gliss import fusuma FILE' makes rules of it"
    ),
    (
      "settings: {typing.disables: maybe}",
      "1:29+5 typing.disables cannot be “maybe”: it is true or false"
    ),
    (
      gesture("pinch, direction: in, scale: 1.5"),
      "1:51+3 a pinch that goes in becomes smaller than 1: write an upper bound, as in ..0.7"
    ),
    (
      gesture("pinch, direction: in, scale: 0.7"),
      "1:51+3 a pinch that goes in needs an upper bound: write ..0.7, or 0.7..1 for one that goes no further"
    ),
    (
      gesture("pinch, direction: in, scale: 0.25.."),
      "1:51+6 a pinch that goes in needs an upper bound: write ..0.25, or 0.25..1 for one that goes no further"
    ),
    (
      gesture("pinch, scale: 0.5"),
      "1:36+3 a pinch that goes in needs an upper bound: write ..0.5, or 0.5..1 for one that goes no further"
    ),
    (
      gesture("pinch, direction: out, scale: 0.5.."),
      "1:52+5 a pinch that goes out is always larger than 0.5: write a number above 1"
    ),
    (
      gesture("edgeSwipe, edge: left, direction: left"),
      "1:56+4 a finger that comes in over the left edge does not go left"
    ),
    (
      gesture("edgeSwipe, edge: bottom, direction: down"),
      "1:58+4 a finger that comes in over the bottom edge does not go down"
    ),
    (gesture("tap, application: ''"), "1:40+2 an application's name cannot be empty"),
    (
      gesture("tap, application: {not: [\"\"]}"), "1:47+2 an application's name cannot be empty"
    ),
    (
      gesture("tap, application: !firefox"),
      "1:40+8 expected an application's name, as in firefox or \"org.gnome.*\", not a YAML tag; put text that begins with ! in quotes"
    ),
    (
      gesture("pinch, direction: out, scale: ..0.7"),
      "1:52+5 a pinch that goes out becomes larger than 1: write a lower bound, as in 1.5.."
    ),
    (
      gesture("swipe, modifiers: super+shft"), "1:46+4 unknown modifier “shft”; did you mean shift?"
    ),
    (gesture("swipe, modifiers: suepr"), "1:40+5 unknown modifier “suepr”; did you mean super?"),
    (
      gesture("swipe, modifiers: super+a"),
      "1:46+1 “a” is not a modifier: write shift, ctrl, alt, altgr or super"
    ),
    (
      gesture("swipe, modifiers: capslock"),
      "1:40+8 “capslock” is not a modifier: write shift, ctrl, alt, altgr, super or none"
    ),
    (
      gesture("swipe, modifiers: capslock+super"),
      "1:40+8 “capslock” is not a modifier: write shift, ctrl, alt, altgr or super"
    ),
    (
      gesture("swipe, modifiers: ''"),
      "1:41+2 a modifier is missing here: write shift, ctrl, alt, altgr, super or none"
    ),
    (
      gesture("swipe, modifiers: super+"),
      "1:46+1 a modifier is missing here: write shift, ctrl, alt, altgr or super"
    ),
    (gesture("swipe, modifiers: super+lsuper"), "1:46+6 “lsuper” repeats a modifier"),
    (
      gesture("swipe, mode: a b"),
      "1:35+3 expected a mode's name (letters, digits, - and _), or none, as in resize, not “a b”"
    ),
    (
      gesture("swipe, device: {kind: touchpd}"),
      "1:44+7 “touchpd” is not a kind of device; did you mean touchpad?"
    ),
    (
      gesture("swipe, device: {id: \"04f3\"}"),
      "1:42+6 expected vendor and product, four hexadecimal digits each, as in 04f3:0676, not “04f3”"
    ),
    (
      gesture("swipe, phase: later"),
      "1:36+5 “later” is not a moment: write begin, change, end or cancel"
    ),
    (
      gesture("tap, phase: end"),
      "1:27+5 phase does not go with tap; it goes with drag, pinch, rotate, swipe, hold and edgeSwipe"
    ),
    (
      gesture("swipe, end: {mode: none}"),
      "1:48+2 do and end act at the same moment: keep one, or put both actions into one list"
    ),
    (
      "gestures: [{gesture: swipe, phase: end, end: {mode: none}}]",
      "1:29+5 phase needs a do: it says when that acts"
    ),
    (
      gesture("swipe, direction: leftUp"),
      "1:40+6 “leftUp” is not a direction; did you mean upLeft?"
    ),
    (
      gesture("swipe, direction: down-right"),
      "1:40+10 “down-right” is not a direction; did you mean downRight?"
    ),
    (
      gesture("swipe, direction: rightdown"),
      "1:40+9 “rightdown” is not a direction; did you mean downRight?"
    ),
    (
      gesture("rotate, direction: anticlockwise"),
      "1:41+13 “anticlockwise” is not a direction; did you mean counterclockwise?"
    ),
    (gesture("rotate, direction: cw"), "1:41+2 “cw” is not a direction; did you mean clockwise?"),
    (gesture("pinch, direction: inward"), "1:40+6 “inward” is not a direction; did you mean in?"),
    (gesture("swipe, travel: 2..3 cm"), "1:37+7 “cm” is not a unit of a length: write 20..30 mm"),
    (gesture("swipe, travel: 20 MM"), "1:37+5 “MM” is not a unit of a length: write 20 mm"),
    (gesture("swipe, speed: 0.2 m/s"), "1:36+7 “m/s” is not a unit of a speed: write 200 mm/s"),
    (gesture("rotate, turn: 1 rad"), "1:36+5 “rad” is not a unit of an angle: write 57.296 deg"),
    (gesture("hold, duration: 2 minutes"), "1:38+9 “minutes” is not a unit of a time: write 2 min"),
    (gesture("swipe, travel: \">20mm\""), "1:37+7 bounds are written with two dots: write 20.. mm"),
    (
      gesture("swipe, travel: \"<= 80 mm\""),
      "1:37+10 bounds are written with two dots: write ..80 mm"
    ),
    (gesture("pinch, scale: \">1.5\""), "1:36+6 bounds are written with two dots: write 1.5.."),
    (
      gesture("swipe, steps: {every: 30, forward: {mode: none}}"),
      "1:44+2 the unit is missing: write 30 mm for drags and swipes, 30 % for pinches, 30 deg for rotations or 30 ms for any gesture"
    ),
    (
      gesture("swipe, steps: {every: 1 cm, forward: {mode: none}}"),
      "1:44+4 “cm” is not a unit of a step: write 10 mm"
    ),
    (
      gesture("swipe, fingers:\u{a0}3"),
      "1:29+10 unknown key “fingers:\u{a0}3” in a gesture's rule; a key is followed by a colon and a blank; a no-break space (U+00A0) stands here: write a blank"
    ),
    (
      gesture("swipe, travel: “20 mm”"),
      "1:37+7 “mm”” is not a unit of a length: write mm; “ is a typographic quote: write \""
    ),
    (
      "gestures:\n  - gesture: tap\n    fingers:\u{a0}3\n    do: {mode: none}\n",
      "3:13+1 put a blank after the colon; a no-break space (U+00A0) stands here: write a blank"
    ),
  ]

  static let settings: [(String, String)] = [
    (
      "settings: {motion.flor: 1}",
      "1:12+11 unknown setting “motion.flor”; did you mean motion.floor?"
    ),
    ("settings: {motion.floor: 99}", "1:26+2 motion.floor cannot be 99: it is from 0.1 to 5 mm"),
    ("settings: {typing.disables: 2}", "1:29+1 typing.disables cannot be 2: it is true or false"),
    (
      "settings: {motion.floor: 1 s}",
      "1:26+3 motion.floor cannot be “1 s”: it is a number in mm, such as 0.3 mm"
    ),
    (
      "settings: {motion.floor: nan}",
      "1:26+3 motion.floor cannot be “nan”: it is a number in mm, such as 0.3 mm"
    ),
    (
      "settings: {motion.floor: 1, motion.floor: 1}",
      "1:29+12 duplicate key motion.floor, first in line 1"
    ),
    (
      "settings: 1",
      "1:11+1 expected settings of gliss thresholds with their values, as in {motion.floor: 0.5 mm}, not “1”"
    ),
    ("limits: {time: 5}", "1:16+1 the unit is missing: write 5 s or 5 ms"),
    (
      "limits: {time: 1..2 s}",
      "1:16+6 expected a time with its unit, as in 10 s or 5 min, not “1..2 s”"
    ),
    ("limits: {running: 0}", "1:19+1 expected a number from 1 to 10000, not “0”"),
    (
      "devices: [{match: {name: x}}]",
      "1:11+18 a device's profile needs settings, as in settings: {motion.floor: 0.5 mm}"
    ),
    (
      "settings: {Motion.Floor: 1}",
      "1:12+12 unknown setting “Motion.Floor”; did you mean motion.floor?"
    ),
    ("settings: {tap.duration: 0.2 s}", "1:26+5 tap.duration is a number in ms: write 200 ms"),
    ("settings: {motion.floor: 0.5 cm}", "1:26+6 motion.floor is a number in mm: write 5 mm"),
    ("limits: {time: 2 hours}", "1:16+7 “hours” is not a unit of a time: write 2 h"),
    (
      "devices: [{match: {}, settings: {motion.floor: 1}}]",
      "1:19+2 this matches every device: put the settings below the file's own settings, or give it a name"
    ),
    (
      "settings: {motion.floor=0.5}",
      "1:12+16 a setting and its value are separated by a colon: write motion.floor: 0.5"
    ),
  ]

  @Test(arguments: [keys, conditions, settings, actions, lines, hotkeys, guesses].joined())
  func oneMistakeIsReportedOnceAndAtItsPlace(_ yaml: String, _ expected: String) {
    let reading = read(yaml)
    let errors = reading.mistakes.filter { $0.severity == .error }
    #expect(errors.map(\.short) == [expected], "\(yaml)")
    #expect(reading.configuration == nil)
    for mistake in errors {
      #expect(
        mistake.source == yaml.split(separator: "\n").map(String.init)[mistake.place.line - 1])
    }
  }
}
