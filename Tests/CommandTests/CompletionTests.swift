import Foundation
import Testing

/// What Tab offers in bash. `=` is a word of its own there, as bash itself divides a line.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "bash is missing"))
struct CompletionTests {
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

  /// The replies, and then the options that they are inserted with.
  @Test(arguments: [
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
    ("gliss help doctor ", ""), ("gliss help plot --out", ""), ("gliss help --versio", "--version"),
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
