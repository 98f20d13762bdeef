#compdef seedbed
# Completion for zsh, printed by `seedbed help --completion zsh`. The program itself gives the candidates.
local program=${(Q)words[1]} line word has_files
local -a ended unended
(( $+commands[$program] )) || [[ -x $program ]] || program=seedbed
local -a said=("${(@f)$($program help --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
case $PREFIX in
    *,*) compset -P '*,' ;;
    --*=*) compset -P '*=' ;;
    tape:*|plugin:*) compset -P '*:' ;;
esac
for line in $said; do
    word=${line%%$'\t'*}
    if [[ -z $word ]]; then
        has_files=1
        continue
    fi
    word=${${word#${(Q)IPREFIX}}//:/\\:}:${line#*$'\t'}
    case ${line%%$'\t'*} in
        *[/\#:]) unended+=("$word") ;;
        *) ended+=("$word") ;;
    esac
done
(( $#ended )) && _describe 'word' ended
(( $#unended )) && _describe 'name' unended -S ''
(( $+has_files && has_files )) && _files
return 0
