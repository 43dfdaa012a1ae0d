#!/bin/sh
# Words that bash, zsh and fish complete after the Tab key, each shell on its own terminal. COMPLETION is the folder of
# the scripts for the shells.
set -eu
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT

mkdir bin home folder
touch one.yaml two.sql 'a b.yaml' colon:1.yaml
# A wrapper that runs pgfsm for completions, and otherwise writes its arguments to a file.
cat >bin/pgfsm <<'EOF'
#!/bin/sh
[ "$1" != complete ] || exec "$PROGRAM" "$@"
printf '<%s>' "$@" >>"$DIR/typed"
echo >>"$DIR/typed"
EOF
chmod +x bin/pgfsm
export DIR HOME="$DIR/home" PATH="$DIR/bin:$PATH"

# The typed text, and the resulting words.
typed() {
    cat <<'EOF'
pgfsm rep\t
pgfsm ru\t on\t
pgfsm run --repo\t tex\t
pgfsm run --report=tex\t
pgfsm run --color=al\t one.yaml
pgfsm run --out fo\t
pgfsm run --apply=tw\t
pgfsm run -q a\t
pgfsm run --seed \t1
pgfsm help ev\t
pgfsm run --embed\t -j \t3 tw\t
exit
EOF
}
cat >wanted <<'EOF'
<replay>
<run><one.yaml>
<run><--report><text>
<run><--report=text>
<run><--color=always><one.yaml>
<run><--out><folder>
<run><--apply=two.sql>
<run><-q><a b.yaml>
<run><--seed><1>
<help><eval>
<run><--embedded><-j><3><two.sql>
EOF

completes() { # SHELL COMMAND SET-UP
    said=$1
    rm -f typed
    { echo "$3" && printf '%b' "$(typed)\n"; } >keys
    timeout 60 script -qec "$2" /dev/null <keys >out 2>err || complain "$1: exit status $?"
    # zsh takes the slash behind a folder away again.
    sed 's|/>|>|g' typed >words
    diff wanted words || {
        complain "$1"
        show
    }
}

completes bash 'bash --norc --noprofile -i' ". $COMPLETION/pgfsm.bash"
completes zsh 'zsh -f -i' "fpath=($COMPLETION \$fpath); autoload -U compinit; compinit -D -u"
completes fish 'fish --no-config -i' "source $COMPLETION/pgfsm.fish"

# The description follows the word if the shell shows descriptions.
fish --no-config -c "source $COMPLETION/pgfsm.fish; complete -C 'pgfsm ev'" >out
out "$(printf 'eval\tevaluate code in the model language')"

# If no word matches, nothing is printed.
for words in 'nonsense x' 'run --seed' 'version x'; do
    # shellcheck disable=SC2086 # words
    runs 0 complete -- $words ''
    [ -z "$(cat out err)" ] || complain "words for $words"
done

finish
