import Foundation
import Testing

/// What Tab offers.
@Suite struct CompletionTests {
  private static func has(_ shell: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)")
  }

  /// What zsh makes of a line, and what fish offers.
  private static let others: [(String, String, String)] = [
    ("gliss rel", "gliss reload ", "reload"),
    ("gliss watch --layo", "gliss watch --layout=", "--layout"),
    ("gliss replay --format=j", "gliss replay --format=jsonl ", "--format=jsonl"),
    ("gliss replay --format j", "gliss replay --format jsonl ", "jsonl"),
    // behind the last comma
    (
      "gliss watch --events key,gesture,to", "gliss watch --events key,gesture,touch ",
      "key,gesture,touch"
    ),
    (
      "gliss watch --events=gesture,to", "gliss watch --events=gesture,touch ",
      "--events=gesture,touch"
    ),
    (
      "gliss grants grant a --keys media,mod", "gliss grants grant a --keys media,modifiers ",
      "media,modifiers"
    ),
    (
      "gliss record --strokes pinch-in,pinch-o", "gliss record --strokes pinch-in,pinch-out ",
      "pinch-in,pinch-out"
    ),
    // commands behind help
    ("gliss help rel", "gliss help reload ", "reload"),
    ("gliss help grants gra", "gliss help grants grant ", "grant"),
  ]

  /// What fish completes only in a terminal, or otherwise.
  private static let zshAlone = [
    // a name goes on with its value
    ("gliss replay --set motion.fl", "gliss replay --set motion.floor=", ""),
    ("gliss plot --output=READ", "gliss plot --output=README.md ", ""),
    ("gliss plot -o READ", "gliss plot -o README.md ", ""),
    ("gliss help plot --out", "gliss help plot --out", ""),
  ]

  @Test(.enabled(if: has("fish"), "fish is missing"), arguments: others)
  func whatTabOffersInFish(_ line: String, _: String, _ reply: String) throws {
    let script = "gliss --generate-completion-script fish | source; complete -C '\(line)'"
    let command = try Command.shell(
      "export HOME=$(mktemp -d); fish --no-config -c \"\(script)\"; rm -r $HOME")
    let offers = command.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(offers == [reply[...]] && command.errors.isEmpty, "\(command)")
  }

  /// In a terminal, where ^G prints the line.
  @Test(.enabled(if: has("zsh"), "zsh is missing"))
  func whatTabMakesOfLinesInZsh() throws {
    let script = #"""
      export ZDOTDIR=$(mktemp -d)
      gliss --generate-completion-script zsh >$ZDOTDIR/_gliss
      cat >$ZDOTDIR/.zshrc <<'END'
      PS1='' fpath=($ZDOTDIR $fpath)
      autoload -Uz compinit && compinit -u -D
      show() { print -r -- "<$BUFFER>"; BUFFER=''; }
      zle -N show && bindkey '^G' show
      zle-line-init() { print '<ready>'; zle -D zle-line-init; }
      zle -N zle-line-init
      END
      zmodload zsh/zpty
      zpty z zsh -i
      zpty -r -m z reply '*<ready>*'
      while IFS='' read -r line; do
        zpty -n -w z "$line"$'\t\a'
        zpty -r -m z reply '*<*>*'
        print -r -- "${${reply##*<}%%>*}"
      done
      zpty -d z
      rm -r $ZDOTDIR
      """#
    let all = Self.others + Self.zshAlone
    let lines = all.map { $0.0 + "\n" }.joined()
    let command = try Command.shell("zsh -f -c \(Self.quoted(script))", input: lines)
    let made = all.map { $0.1 + "\n" }.joined()
    #expect(command.output == made && command.errors.isEmpty, "\(command)")
  }

  private static func quoted(_ script: String) -> String {
    "'\(script.replacing("'", with: #"'\''"#))'"
  }

  private static let script = #"""
    source <(gliss --generate-completion-script bash)
    compopt() { said+=" ${*}"; }
    while IFS='' read -r line; do
      after="${line#*|}" line="${line/|/}"
      [[ "${after}" != "${line}" ]] || after=''
      IFS=' ' read -ra COMP_WORDS <<<"${line}"
      [[ "${line}" != *' ' ]] || COMP_WORDS+=('')
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE="${line}" COMP_POINT=$((${#line} - ${#after}))
      COMPREPLY=() said=
      word="${COMP_WORDS[-1]#=}"
      __gliss_complete gliss "${word%"${after}"}" "${COMP_WORDS[-2]}"
      echo "${COMPREPLY[*]}${said}"
    done
    """#

  /// The replies, and then the options that they are inserted with. `=` is a word of its own, as
  /// bash itself divides a line.
  @Test(
    .enabled(if: has("bash"), "bash is missing"),
    arguments: [
      ("gliss rel", "reload"), ("gliss watch --layo", "--layout"),
      // a name goes on with its value
      ("gliss replay --set motion.fl", "motion.floor= -o nospace"),
      ("gliss replay --set = motion.fl", "motion.floor= -o nospace"),
      ("gliss replay --set motion.floor =", ""), ("gliss replay --set motion.floor = 0.", ""),
      // Sources is a folder, and README.md a file; jsonl is none, even if there is such a folder
      ("gliss replay --format j", "jsonl"), ("gliss replay --axes Sourc", "Sources -o filenames"),
      ("gliss replay READ", "README.md -o filenames"),
      ("gliss replay --axes = READ", "README.md -o filenames"),
      // behind the last comma
      ("gliss replay --events gesture,to", "gesture,touch"),
      ("gliss watch --events key,gesture,to", "key,gesture,touch"),
      ("gliss grants grant a --keys media,mod", "media,modifiers"),
      ("gliss record --strokes pinch-in,pinch-o", "pinch-in,pinch-out"),
      ("gliss replay --events = gesture,to", "gesture,touch"),
      // an option with its value, in one word or in three
      ("gliss watch --events = ge", "gesture"), ("gliss watch --events=ge", "--events=gesture"),
      ("gliss replay --format = j", "jsonl"), ("gliss replay --format =", "text jsonl"),
      ("gliss take --format = json of", "off"),
      // commands behind help, and nothing behind those
      ("gliss help rel", "reload"), ("gliss help grants gra", "grant"), ("gliss help replay ", ""),
      ("gliss help doctor ", ""), ("gliss help plot --out", ""),
      ("gliss help --versio", "--version"),
      // what stands behind the cursor stays
      ("gliss re|lo", "reload record replay resume"),
      ("gliss replay READ|ME", "README.md -o filenames"),
      ("gliss =", ""),
    ])
  func whatTabOffersInBash(_ line: String, _ replies: String) throws {
    let command = try Command.shell(Self.script, input: line + "\n")
    #expect(command.output == replies + "\n" && command.errors.isEmpty, "\(command)")
  }
}
