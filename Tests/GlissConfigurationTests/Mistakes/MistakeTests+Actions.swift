extension MistakeTests {
  static let actions: [(String, String)] = [
    (
      act("foot"),
      "1:31+4 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “foot”; write {run: [foot]}"
    ),
    (
      act("notify hello"),
      "1:31+12 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “notify hello”; write {notify: …}"
    ),
    (
      act("mode"),
      "1:31+4 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “mode”; write {mode: …}"
    ),
    (
      act("super+t"),
      "1:31+7 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “super+t”; write {keys: super+t}"
    ),
    (
      act("echo a | cat"),
      "1:31+12 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “echo a | cat”; write {shell: 'echo a | cat'}"
    ),
    (act("[]"), "1:31+2 the list is empty"),
    (
      act("{}"),
      "1:31+2 an action needs one of run, shell, keys, move, mode, turns, notify, emit, window or workspace"
    ),
    (
      act("{run: a, shell: b}"),
      "1:40+5 an action does one thing, and this has run too: write a list, as in [{run: …}, {shell: …}]"
    ),
    (act("{keys: super+a, time: 1 s}"), "1:47+4 time goes with run and shell, not with keys"),
    (
      act("{run: foot -e vi}"),
      "1:37+10 run takes a list: write run: [foot, -e, vi]"
    ),
    (act("{run: []}"), "1:37+2 the list is empty: a program's name comes first"),
    (act("{run: [\"\"]}"), "1:38+2 a program's name comes first"),
    (act("{shell: \"\"}"), "1:39+2 a line of shell cannot be empty"),
    (act("{shell: \" \"}"), "1:39+3 a line of shell cannot be empty"),
    (
      "gestures: [{gesture: hold, change: {mode: none}}]",
      "1:28+6 a hold does not move: use repeat, or steps in time"
    ),
    (
      "gestures: [{gesture: hold, hold: button1, change: {move: 1}}]",
      "1:43+6 a hold does not move: use repeat, or steps in time"
    ),
    (
      "gestures: [{gesture: hold, phase: change, do: {mode: none}}]",
      "1:35+6 a hold does not move: use repeat, or steps in time"
    ),
    (act("{run: [[a]]}"), "1:38+3 expected an argument, not a list"),
    (
      act("{run: }"),
      "1:37+1 expected a program and its arguments in a list, as in [firefox, --new-window] or foot, not nothing"
    ),
    (act("{run: [a, \"\\0\"]}"), "1:41+4 a zero byte cannot stand in an argument"),
    (
      act("{run: a, directory: src}"),
      "1:51+3 expected a folder from /, ~, $HOME or $XDG_RUNTIME_DIR on, as in ~/src, not “src”"
    ),
    (
      act("{run: a, environment: [A]}"),
      "1:53+3 expected variables with their values, as in {LANG: C}, not a list"
    ),
    (
      act("{run: a, environment: {1A: b}}"),
      "1:54+2 a variable's name has letters, digits and _, and begins with no digit"
    ),
    (act("{run: a, environment: {A: b, A: c}}"), "1:60+1 duplicate key A, first in line 1"),
    (
      act("{run: a, environment: {GLISS_FINGERS: b}}"),
      "1:54+13 GLISS_ variables describe the gesture and cannot be set"
    ),
    (act("{keys: super+}"), "1:44+1 a key is missing here"),
    (
      act("{keys: [super+a, release:a]}"),
      "1:48+9 “release:a” is not a chord: only keys and what is held with them can be pressed, as in super+left"
    ),
    (
      act("{keys: super+code:288}"),
      "1:38+14 this key cannot be pressed: neither keyboards nor mice have it"
    ),
    (
      "gestures: [{gesture: drag, hold: wheelup}]",
      "1:34+7 “wheelup” cannot be held: name keys or buttons, as in alt"
    ),
    (
      "gestures: [{gesture: tap, hold: alt, do: {keys: a}}]",
      "1:27+4 hold does not go with tap; it goes with drag, pinch, rotate, swipe, hold and edgeSwipe"
    ),
    (
      act("{keys: alt+sysrq}"),
      "1:38+9 SysRq with Alt is not pressed, because the kernel itself would obey it"
    ),
    (act("{notify: {body: x}}"), "1:40+9 a notification needs title, as in title: Volume"),
    (act("{emit: {line: x}}"), "1:38+9 emit needs to, as in to: ~/.cache/bar.fifo"),
    (
      act("{emit: {to: x}}"),
      "1:43+1 expected a path from /, ~, $HOME or $XDG_RUNTIME_DIR on, as in ~/.cache/bar.fifo, not “x”"
    ),
    (
      "gestures: [{gesture: drag, begin: {move: 1}}]",
      "1:28+5 move goes with change, as in change: {move: 1}"
    ),
    ("hotkeys: [{hotkey: super+a, do: {move: 1}}]", "1:29+2 move goes with change of a gesture"),
    (
      "gestures: [{gesture: swipe, repeat: 300 ms, begin: {mode: none}}]",
      "1:29+6 repeat needs do, which it repeats, and begin as its phase"
    ),
    (
      "gestures: [{gesture: hold, steps: {every: 10 mm, forward: {mode: none}}}]",
      "1:43+5 the steps of a hold are in ms, as in every: 500 ms"
    ),
    (
      "gestures: [{gesture: drag, steps: {every: 1 mm}}]",
      "1:35+13 the step does nothing: give it forward or back"
    ),
    (
      "gestures: [{gesture: drag, steps: {forward: {mode: none}}}]",
      "1:35+23 a step needs every, as in every: 10 mm"
    ),
    (
      "gestures: [{gesture: pinch, steps: {every: 1 mm, forward: {mode: none}}}]",
      "1:44+4 the steps of a pinch are in % or ms, as in every: 10 %"
    ),
    (
      "gestures: [{gesture: drag, steps: {every: 300 ms, back: {mode: none}}}]",
      "1:43+6 steps in time only go forward: write forward instead of back"
    ),
    (
      "gestures: [{gesture: pinch, steps: {every: 1, forward: {mode: none}}}]",
      "1:44+1 the unit is missing: write 1 mm for drags and swipes, 1 % for pinches or 1 deg for rotations"
    ),
    (
      act("{run: notify-send \"hello world\"}"),
      "1:37+25 run takes a list: write run: [notify-send, hello world]"
    ),
    (
      act("{run: pactl set-sink-volume @DEFAULT_SINK@ +5%}"),
      "1:37+40 run takes a list: write run: [pactl, set-sink-volume, '@DEFAULT_SINK@', +5%]"
    ),
    (act("{run: 'grep ''a, b'' x'}"), "1:37+17 run takes a list: write run: [grep, 'a, b', x]"),
    (
      act("{run: echo a | cat}"),
      "1:37+12 only a shell understands this: write shell: 'echo a | cat'"
    ),
    (
      act("{run: 'echo it''s > x'}"),
      "1:37+16 only a shell understands this: write shell: \"echo it's > x\""
    ),
    (act("{run: A=b foo -e}"), "1:37+10 only a shell understands this: write shell: A=b foo -e"),
    (act("{run: $HOME/bin/x -e}"), "1:37+14 run takes a list: write run: ['$HOME/bin/x', -e]"),
    (
      act("foot -e vi"),
      "1:31+10 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “foot -e vi”; write {run: [foot, -e, vi]}"
    ),
    (
      act("[foot, -e, vi]"),
      "1:31+14 each item of this list must be an action: write {run: [foot, -e, vi]}"
    ),
    (
      act("[f1, super+f2]"),
      "1:31+14 each item of this list must be an action: write {keys: [f1, super+f2]}"
    ),
    (
      act("volumeup"),
      "1:31+8 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “volumeup”; write {keys: volumeup}"
    ),
    (
      act("XF86AudioMute"),
      "1:31+13 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “XF86AudioMute”; write {keys: mute}"
    ),
    (
      act("{turns: [{keys: f1}, f2]}"),
      "1:52+2 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “f2”; write {keys: f2}"
    ),
    (
      act("a"),
      "1:31+1 expected an action (run, shell, keys, move, mode, turns, notify, emit, window, workspace, directory, environment, atOnce and time), not “a”; write {run: [a]}"
    ),
    (
      act("{run: [swaymsg, workspace, {}]}"),
      "1:58+2 expected an argument, not keys with values; write \"{}\""
    ),
    (act("{run: [sleep, null]}"), "1:45+4 expected an argument, not nothing; write \"null\""),
    (
      "gestures: [{gesture: swipe, steps: {every: 5 mm, backwards: {mode: none}}}]",
      "1:50+9 unknown key “backwards” in a step; did you mean back?"
    ),
    (
      "gestures: [{gesture: rotate, steps: {every: 5 mm, forward: {mode: none}}}]",
      "1:45+4 the steps of a rotation are in deg or ms, as in every: 10 deg"
    ),
    (
      "hotkeys: [{hotkey: super+a, hold: [alt]}]",
      "1:35+5 expected keys or buttons, as in alt, super+shift or button1, not a list; write alt"
    ),
    (
      act("{keys: hello}"),
      "1:38+5 unknown key “hello”; only keys are pressed, whose names 'gliss keys' prints; text cannot be typed"
    ),
    (
      act("{type: hello}"),
      "1:32+4 text cannot be typed; keys are pressed one after the other, as in keys: [h, i]"
    ),
    (act("{workspace: prev}"), "1:43+4 “prev” is not a workspace: write previous"),
    (act("{workspace: +1}"), "1:43+2 “+1” is not a workspace: write next"),
    (
      "gestures: [{gesture: swipe, hold: [ctrl, alt]}]",
      "1:35+11 expected keys or buttons, as in alt, super+shift or button1, not a list; write ctrl+alt"
    ),
    (
      gesture("swipe, modifiers: [super, shift]"),
      "1:40+14 expected modifiers (shift, ctrl, alt, altgr, super), or none, as in super or super+shift, not a list; write super+shift"
    ),
  ]

  /// The line as it stands in the file, and only if a list means the same.
  static let lines: [(String, String)] = [
    ("a 'b c' d\\\\ e", "run takes a list: write run: [a, b c, d e]"),
    ("~/bin/a ./b", "run takes a list: write run: ['~/bin/a', ./b]"),
    ("a b?", "only a shell understands this: write shell: 'a b?'"),
    ("a '~/b'", "only a shell understands this: write shell: \"a '~/b'\""),
    ("a 'b", "only a shell understands this: write shell: \"a 'b\""),
    ("a # b", "only a shell understands this: write shell: 'a # b'"),
    ("a ~b", "only a shell understands this: write shell: a ~b"),
    ("a\\nb", "only a shell understands this: write shell: \"a\\nb\""),
  ].map { (act("{run: \"\($0)\"}"), "1:37+\($0.count + 2) \($1)") }

  static let hotkeys: [(String, String)] = [
    (hotkey("supr+t"), "1:20+4 unknown modifier “supr”; did you mean super?"),
    (hotkey("'supr+t'"), "1:21+4 unknown modifier “supr”; did you mean super?"),
    (
      hotkey("'super+''ö''+x'"),
      "1:27+5 “'ö'” is a key: it must be the last part of the chord"
    ),
    (hotkey("\"s\\u0075per+supr+t\""), "1:32+4 unknown modifier “supr”; did you mean super?"),
    (hotkey("ctrl-alt-t"), "1:20+10 unknown key “ctrl-alt-t”; did you mean ctrl+alt+t?"),
    (hotkey("super+scroll_up"), "1:26+9 unknown key “scroll_up”; did you mean wheelup?"),
    (
      hotkey("super+xyzzy"),
      "1:26+5 unknown key “xyzzy”; 'gliss keys' prints the name of each key you press"
    ),
    (hotkey("super+Prior"), "1:26+5 unknown key “Prior”; did you mean pageup?"),
    (
      hotkey("ctrl+plus"),
      "1:25+4 unknown key “plus”; did you mean shift+equal or '+'?"
    ),
    (hotkey("XF86AudioMute"), "1:20+13 unknown key “XF86AudioMute”; did you mean mute?"),
    (hotkey("&k super+"), "1:29+1 a key is missing here"),
    (hotkey("ctrl++"), "1:25+1 a key is missing here; did you mean '+'?"),
    (hotkey("super++t"), "1:26+1 a key is missing here"),
    (
      "hotkeys: [{fingers: 3, swipe: left, do: {mode: none}}]",
      "1:24+5 swipe is a gesture: write the rule below gestures, with gesture: swipe"
    ),
    (
      "hotkeys: [{fingers: 3, gesture: swipe, do: {mode: none}}]",
      "1:24+7 a rule with gesture stands below gestures"
    ),
    (
      "gestures: [{hotkey: f1, release: f2, do: {mode: none}}]",
      "1:13+6 a rule with hotkey stands below hotkeys"
    ),
    (
      "gestures: [{gesture: tap, hotkey: f1, do: {mode: none}}]",
      "1:27+6 a rule with hotkey stands below hotkeys"
    ),
    (hotkey("super+t t"), "1:28+1 “+” or “;” is missing before “t”"),
    (
      "hotkeys: [{hotkey: release:super+x, hold: alt}]",
      "1:37+4 hold needs a key that stays down; a tap, a wheel's notch and release: are over at once"
    ),
    (
      hotkey(""),
      "1:20+1 expected a hotkey, as in super+t, super+k ; w, tap:super or super+{1-9}, not nothing"
    ),
    (
      hotkey("tap:super, consume: true"),
      "1:31+7 a modifier cannot be kept from the desktop: leave out consume"
    ),
    (
      hotkey("button1, consume: true"),
      "1:29+7 the left button alone cannot be kept from the desktop: leave out consume"
    ),
    (hotkey("super+ö"), "1:26+1 unknown key “ö”; write super+'ö'"),
    (hotkey("super+#"), "1:26+1 unknown key “#”; write super+'#'"),
    (
      hotkey("super+button9"),
      "1:26+7 unknown key “button9”: the buttons are button1 to button8; 'gliss keys' prints the name of each key you press"
    ),
    (
      "gestures: [{gesture: swipe, hold: super ; alt}]",
      "1:35+11 hold takes one chord, as in super+alt"
    ),
    (hotkey("ö"), "1:20+1 unknown key “ö”; write \"'ö'\""),
    (hotkey("'super+\"'"), "1:27+1 unknown key “\"”; write super+char:22"),
    (hotkey("C-x"), "1:20+3 unknown key “C-x”; did you mean ctrl+x?"),
    (hotkey("C-M-x"), "1:20+5 unknown key “C-M-x”; did you mean ctrl+alt+x?"),
    (hotkey("s-Return"), "1:20+8 unknown key “s-Return”; did you mean super+return?"),
    (hotkey("\"super+k, w\""), "1:27+2 unknown key “k,”; did you mean super+k ; w?"),
    (
      hotkey("char:U+E9"),
      "1:25+1 a number is expected: a key's from 0 to 65535, or a character's in hex; did you mean char:e9?"
    ),
    (
      hotkey("code:0x1e"),
      "1:25+4 a number is expected: a key's from 0 to 65535, or a character's in hex; did you mean code:30?"
    ),
    (
      hotkey("code:KEY_A"),
      "1:25+5 a number is expected: a key's from 0 to 65535, or a character's in hex; did you mean a?"
    ),
  ]
}
