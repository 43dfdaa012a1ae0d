# Completes words of pgfsm in bash; pgfsm itself knows which words fit. -*- sh -*-

_pgfsm() {
    local IFS=$'\n' line word=${COMP_WORDS[COMP_CWORD]}
    [ "$word" != = ] || word=
    COMPREPLY=()
    for line in $("${COMP_WORDS[0]/#\~/$HOME}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
        case $line in
        :file) compopt -o default ;;
        :folder) compopt -o dirnames ;;
        "$word"*) COMPREPLY+=("${line%%$'\t'*}") ;;
        esac
    done
}

complete -F _pgfsm pgfsm
