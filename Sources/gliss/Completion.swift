/// Fixes the parser's scripts. They complete a list only up to its first comma, and no command after
/// `help`; that for bash every value as a file; those for bash and zsh no `--option=value`.
enum Completion {
  /// - Parameter script: for any shell.
  static func mended(_ script: String) -> String {
    let lines = script.split(separator: "\n", omittingEmptySubsequences: false)
    if lines[0] == "#compdef gliss" { return zsh(lines) }
    if lines[0].hasPrefix("function __gliss") { return fish(lines) }
    return script.replacing("complete -o filenames -F _gliss gliss", with: bash)
  }

  /// The options whose values are lists.
  private static let lists = ["events", "keys", "strokes"]

  private static func zsh(_ lines: [Substring]) -> String {
    let mended = lines.map { line -> String in
      let text = line.trimmingPrefix { $0 == " " }
      var line = String(line)
      // the value may follow behind =
      if text.hasPrefix("'--") || text.hasPrefix("'*--"), text.contains("]:") {
        line.insert("=", at: line.firstIndex(of: "[") ?? line.endIndex)
      }
      line.replace("{--output,-o}", with: "{--output=,-o+}")
      for list in lists {
        line.replace(
          "{__gliss_complete \"${___\(list)[@]}\"}", with: "{__gliss_list \"${___\(list)[@]}\"}")
      }
      return line
    }
    return mended.joined(separator: "\n")
      .replacing("'*:subcommands:'", with: "'*:subcommands:{__gliss_help}'")
      .replacing("        __gliss_complete \"${completions[@]:0:-1}\"\n", with: zshNames)
      .replacing("__gliss_custom_complete() {", with: zshList)
  }

  private static let zshList = #"""
    __gliss_list() {
        compset -P '*,'
        __gliss_complete "${@}"
    }

    __gliss_help() {
        [[ ${words[CURRENT]} != -* ]] || return
        words[1]=gliss
        _gliss
    }

    __gliss_custom_complete() {
    """#

  /// What ends with = goes on with a value.
  private static let zshNames = #"""
            completions=("${completions[@]:0:-1}")
            compadd -S '' -- "${(M@)completions:#*=}"
            completions=("${(@)completions:#*=}")
            (( ! ${#completions[@]} )) || __gliss_complete "${completions[@]}"

    """#

  private static func fish(_ lines: [Substring]) -> String {
    let mended = lines.map { line -> String in
      let (isList, action) = (lists.contains { line.contains(" -l '\($0)' ") }, "-rfka '")
      guard isList, line.hasSuffix("'"), let range = line.ranges(of: action).last else {
        return String(line)
      }
      let words = line[range.upperBound...].dropLast()
      return "\(line[..<range.upperBound])(__gliss_list \(words))'"
    }
    return mended.joined(separator: "\n") + "\n" + fishEnd
  }

  private static let fishEnd = #"""

    function __gliss_list
        set -l head (string match -r '^(?:--[a-z]+=)?(.*,)' -- (commandline -ct))
        test -n "$head[2]"; and set argv $head[2]$argv
        printf '%s\n' $argv
    end

    # The commands behind 'help', which have descriptions, unlike files.
    function __gliss_help
        set -l words (commandline -pco)
        test "$words[2]" = help; or return
        complete -C "gliss $words[3..] "(commandline -ct) | string match -r '^[a-z]+\t.*'
    end
    complete -c 'gliss' -fa '(__gliss_help)'
    """#

  private static let bash = #"""
    # Replaces the function above: only files are completed as files, and lists behind a comma.
    __gliss_add_completions() {
        local head='' reply
        case "${1}${prev}" in
        -[dfo]*) [[ -z "${help}" ]] || return; compopt -o filenames ;;
        -W--events | -W--keys | -W--strokes) [[ "${cur}" != *,* ]] || head="${cur%,*}," ;;
        esac
        while IFS='' read -r reply; do
            [[ "${reply}" != "${cur}" || "${cur}" != *= ]] || continue
            [[ "${reply}" != *= ]] || compopt -o nospace
            COMPREPLY+=("${head}${reply}")
        done < <(IFS=$'\n' compgen "${@}" -- "${cur#"${head}"}")
    }

    # Calls _gliss with --option=value as two words, name=value as one, and without 'help'.
    __gliss_complete() {
        local word joint='' help=''
        local -a words=()
        for word in "${COMP_WORDS[@]::COMP_CWORD+1}"; do
            if [[ "${word}" == '=' ]]; then
                if [[ "${words[-1]}" == --* ]]; then words+=(''); else words[-1]+='='; fi
                joint=yes
                continue
            fi
            if [[ -n "${joint}" ]]; then words[-1]+="${word}"
            elif [[ "${word}" == --*=* ]]; then words+=("${word%%=*}" "${word#*=}")
            else words+=("${word}"); fi
            joint=''
        done
        ((${#words[@]} > 1)) || return
        # what stands behind the cursor stays
        word="${COMP_LINE:COMP_POINT}"
        words[-1]="${words[-1]%"${word%%[[:space:]=]*}"}"
        if [[ "${words[1]}" == help && ${#words[@]} -gt 2 && "${words[2]}" != -* ]]; then
            help=yes words=("${words[0]}" "${words[@]:2}")
        fi
        local -a COMP_WORDS=("${words[@]}")
        local COMP_CWORD=$((${#words[@]} - 1)) whole="${words[-1]}"
        _gliss "${1}" "${whole}" "${words[-2]}"
        trap - RETURN
        # help takes no command's options
        [[ -z "${help}" ]] || for word in "${!COMPREPLY[@]}"; do
            [[ "${COMPREPLY[word]}" != -* ]] || unset "COMPREPLY[word]"
        done
        # bash replaces only ${2}: the end of the word, or the option with it
        case "${2}" in
        *"${whole}") COMPREPLY=("${COMPREPLY[@]/#/"${2%"${whole}"}"}") ;;
        *) COMPREPLY=("${COMPREPLY[@]#"${whole%"${2}"}"}") ;;
        esac
    }

    complete -F __gliss_complete gliss
    """#
}
