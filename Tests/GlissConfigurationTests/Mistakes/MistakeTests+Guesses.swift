extension MistakeTests {
  /// What newcomers write when they guess.
  static let guesses: [(String, String)] = [
    (
      gesture("pinch, steps: {every: 0.1, forward: {mode: none}}"),
      "1:44+3 the unit is missing: write 0.1 mm for drags and swipes or 10 % for pinches"
    ),
    (
      gesture("pinch, scale: 30 %"),
      "1:36+4 a factor has no unit: 1.3 is 30 % wider, 0.7 narrower, 0.3 is 30 % of the width"
    ),
    (gesture("pinch, scale: 150 %"), "1:36+5 a factor has no unit: write 1.5"),
    (
      act("next workspace"),
      "1:31+14 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “next workspace”; write {workspace: …}"
    ),
    (
      act("npm run"),
      "1:31+7 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “npm run”; write {run: [npm, run]}"
    ),
    (
      "hotkeys: [{keys: super+b, release: {mode: none}}]",
      "1:12+4 what is pressed is the hotkey: write hotkey: super+b"
    ),
    (
      "hotkeys: [{super+t: {run: [foot]}}]",
      "1:12+7 super+t is a chord: write hotkey: super+t, and do: beside it"
    ),
    (
      "hotkeys: [{f12: foot}]",
      "1:12+3 f12 is a chord: write hotkey: f12, and do: beside it"
    ),
    (
      gesture("pinch, window: gimp"),
      "1:29+6 a window is chosen by application: write application: gimp"
    ),
    (gesture("pinch, window: maximise"), "1:29+6 window is an action: write do: {window: …}"),
    (
      gesture("pinch, every: 10 %"),
      "1:29+5 every belongs in steps, as in steps: {every: 10 %, forward: {keys: f1}}"
    ),
    (
      gesture("hold, forward: {keys: f1}"),
      "1:28+7 forward belongs in steps, as in steps: {every: 500 ms, forward: {keys: f1}}"
    ),
    (act("{launch: foot}"), "1:32+6 unknown key “launch” in an action; did you mean run?"),
    (act("{spawn: foot}"), "1:32+5 unknown key “spawn” in an action; did you mean run?"),
    (act("{start: foot}"), "1:32+5 unknown key “start” in an action; did you mean run?"),
    (act("{open: foot}"), "1:32+4 unknown key “open” in an action; did you mean run?"),
    (act("{program: foot}"), "1:32+7 unknown key “program” in an action; did you mean run?"),
    (act("{desktop: next}"), "1:32+7 unknown key “desktop” in an action; did you mean workspace?"),
    (act("{zoom: out}"), "1:32+4 the wheel is pressed like a key: write keys: ctrl+wheeldown"),
    (act("{zoom: in}"), "1:32+4 the wheel is pressed like a key: write keys: ctrl+wheelup"),
    (act("{scroll: up}"), "1:32+6 the wheel is pressed like a key: write keys: wheelup"),
    (
      act("{shell: [a, b]}"),
      "1:39+6 expected a line of shell, as in \"notify-send hello\", not a list; run takes a list"
    ),
    (gesture("tap, launch: foot"), "1:27+6 a command is an action: write do: {run: [foot]}"),
    (
      gesture("tap, app_id: gimp"),
      "1:27+6 unknown key “app_id” in a gesture's rule; did you mean application?"
    ),
    (
      gesture("tap, window_class: gimp"),
      "1:27+12 unknown key “window_class” in a gesture's rule; did you mean application?"
    ),
    (
      gesture("tap, program: gimp"),
      "1:27+7 unknown key “program” in a gesture's rule; did you mean application?"
    ),
    (
      gesture("tap, focus: gimp"),
      "1:27+5 unknown key “focus” in a gesture's rule; did you mean application?"
    ),
    (
      gesture("tap, only: gimp"),
      "1:27+4 only belongs to application: write application: {only: gimp}"
    ),
    (
      gesture("tap, title: YouTube*"),
      "1:27+5 title belongs to application: write application: {title: 'YouTube*'}"
    ),
    (
      gesture("tap, application: {name: gimp}"),
      "1:41+4 unknown key “name” in an application; did you mean only?"
    ),
    (
      "gestures: [{gesture: tap, actions: {mode: none}}]",
      "1:27+7 unknown key “actions” in a gesture's rule; did you mean do?"
    ),
    (
      gesture("swipe left"),
      "1:22+10 “swipe left” is not a gesture; write gesture: swipe and direction: left"
    ),
    (
      gesture("swipe-left"),
      "1:22+10 “swipe-left” is not a gesture; write gesture: swipe and direction: left"
    ),
    (
      gesture("pinch-out"),
      "1:22+9 “pinch-out” is not a gesture; write gesture: pinch and direction: out"
    ),
    (gesture("zoom"), "1:22+4 “zoom” is not a gesture; did you mean pinch?"),
    (
      gesture("pinch, steps: {every: 10 %, out: {keys: f1}}"),
      "1:50+3 unknown key “out” in a step; did you mean forward?"
    ),
    (
      gesture("pinch, steps: {every: 10 %, in: {keys: f1}}"),
      "1:50+2 unknown key “in” in a step; did you mean back?"
    ),
    (
      gesture("swipe, fingers: 3+"),
      "1:38+2 two bounds are written with two dots between them: 3..5"
    ),
    (
      gesture("swipe, fingers: 5+"),
      "1:38+2 expected a number of fingers from 1 to 5, as in 3 or 3..4, not “5+”"
    ),
    (hotkey("windows+t"), "1:20+7 unknown modifier “windows”; did you mean super?"),
    (hotkey("$mod+t"), "1:20+4 unknown modifier “$mod”; did you mean super or alt?"),
    (hotkey("super+mouse1"), "1:26+6 unknown key “mouse1”; did you mean button1?"),
    (hotkey("super+ArrowLeft"), "1:26+9 unknown key “ArrowLeft”; did you mean left?"),
    (hotkey("super+calculator"), "1:26+10 unknown key “calculator”; did you mean calc?"),
    (hotkey("super+add"), "1:26+3 unknown key “add”; did you mean kpplus?"),
    (
      "swipe: [{direction: left}]",
      "1:1+5 swipe is a gesture: write the rule below gestures, with gesture: swipe"
    ),
  ]
}
