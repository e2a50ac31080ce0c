/// Fixes the parser's bash script, which completes every value as a file, a list only up to its
/// first comma, and neither the value of `--option=value` nor a command after `help`.
enum BashCompletion {
  static func mended(_ script: String) -> String {
    script.replacing("complete -o filenames -F _gliss gliss", with: end)
  }

  private static let end = #"""
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
