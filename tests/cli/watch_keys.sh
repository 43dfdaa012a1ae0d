#!/bin/sh
# --watch on a terminal: the screen is cleared, the last line says how it went and what keys do, and they do it. The
# terminal's settings are those of before after each way out: q, Ctrl-C, Ctrl-Z, Ctrl-\, a signal. Without a terminal to
# read from there are no keys.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

mkdir machines
machine() { # NAME EXPECT
    printf 'machine: %s\nrules:\n  one: {sql: SELECT 1, expect: %s}\n' "$1" "$2" >"machines/$1.yaml"
}
machine good 1
machine bad 2
machine wrong 3

# A shell with jobs on a terminal of its own; what is written to descriptor 3 is typed.
mkfifo keys
# A background job of a shell has SIGINT ignored; env gives it back.
TERM=xterm env --default-signal=INT,QUIT script -qfec 'bash --norc --noprofile --noediting -i' /dev/null <keys >out 2>err &
exec 3>keys
typed() { printf '%b' "$1" >&3; }
count_is() { [ "$(grep -c -e "$2" out)" -ge "$1" ]; }
# saw TIMES PATTERN: so many lines of the screen match it, sooner or later.
saw() {
    said="the screen"
    until_true count_is "$1" "$2"
}

typed "PS1=; stty -echo; tty >terminal; echo re''ady\\n"
saw 1 ready
tty=$(tr -d '\r' <terminal)
# Whether keys come one at a time. A shell with jobs mends the terminal behind a job that a signal ended, so another shell
# stands between them.
is_raw() { stty -F "$tty" -a | grep -q -e -icanon; }
is_calm() { ! is_raw; }
is_stopped() { grep -q '^State:.*T' "/proc/$(cat pid)/status"; }
watch() { # [REDIRECTION]
    typed "sh -c 'trap : INT QUIT; sh -c \"echo \\\\\$\\\\\$ >pid; exec $PROGRAM run --examples 2 --no-save --watch machines $*\"; echo ended=\$? raw=\$(stty -a | grep -c -e -icanon)'\\n"
}
calm=0
# Its end: the status, and a terminal as it was.
ended() {
    calm=$((calm + 1))
    saw "$calm" '^ended=[0-9]'
    [ "$(grep '^ended=' out | tail -n 1 | tr -d '\r')" = "ended=$1 raw=0" ] || complain "ended otherwise: $(grep '^ended=' out)"
}

watch
saw 1 '[0-9][0-9]:[0-9][0-9]:[0-9][0-9]  FAIL  2 of 3 machines   \[Enter\] again  \[f\] failed only  \[q\] quit'
grep -q 'ok  good' out || complain "$said: no report"
# Only those that failed, then all of them.
typed f
saw 1 'FAIL  2 of 2 machines   '
grep -q "$(printf '\033\\[H\033\\[2J')" out || complain "the screen is not cleared"
! grep -q "$(printf '\033\\[3J')" out || complain 'what can be scrolled to is gone'
typed '\n'
saw 2 'FAIL  2 of 3 machines   '
# A key that means nothing does nothing; a changed file counts.
typed x
machine wrong 1
saw 1 'FAIL  1 of 3 machines   '
machine bad 1
saw 1 'ok  3 machines   \[Enter\] again  \[q\] quit'
# Stopped by a key, and brought back; stopped by a signal.
until_true is_raw
typed '\032'
saw 1 'Stopped'
until_true is_stopped
typed 'fg\n'
until_true is_raw
kill -TSTP "$(cat pid)"
until_true is_stopped
is_calm || complain 'a stopped program leaves the terminal as it set it'
kill -CONT "$(cat pid)"
until_true is_raw
typed '\n'
saw 2 'ok  3 machines   '
typed q
ended 0
# Other ways out: Ctrl-C, Ctrl-\, Ctrl-D, signals.
ways=2
for way in '\003' '\034' '\004' TERM HUP; do
    watch
    ways=$((ways + 1))
    saw "$ways" 'ok  3 machines   '
    until_true is_raw
    case $way in
    '\034') typed "$way" && ended 131 ;;
    '\004') typed "$way" && ended 0 ;;
    '\003') typed "$way" && ended 0 ;;
    *) kill -s "$way" "$(cat pid)" && ended 0 ;;
    esac
done
# No keys where standard input is no terminal.
watch '</dev/null'
saw 1 'ok  3 machines   Ctrl-C ends'
is_calm || complain 'keys without a terminal to read from'
typed '\003'
ended 0
typed 'exit\n'
exec 3>&-
wait
left_nothing
finish
