# Completion for bash, printed by `seedbed help --completion bash`. The program itself gives the candidates.
_seedbed() {
    local program=$1 word before line has_files=
    local -a words
    read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
    [[ ${COMP_LINE:0:COMP_POINT} == *[[:blank:]] ]] && words+=('')
    type -P -- "$program" >/dev/null || program=seedbed
    word=${words[-1]}
    before=${word%"$2"} # bash starts a new word after each : and =
    COMPREPLY=()
    while IFS= read -r line; do
        line=${line%%$'\t'*}
        if [[ $line ]]; then COMPREPLY+=("${line#"$before"}"); else has_files=1; fi
    done < <("$program" help --complete "${words[@]:1}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -eq 1 && $COMPREPLY == *[/#:] ]] && compopt -o nospace
    [[ ${#COMPREPLY[@]} -eq 0 && $has_files ]] && compopt -o default
    return 0
}
complete -F _seedbed seedbed
