#!/bin/sh
# A step asks for no memory outside of the arenas. What does is rare (what is pasted into SQL, text put together by %,
# copies of large values): fewer calls than steps in every machine, where one in the path of all steps would make
# more. $ALLOCATIONS counts calls and steps. Numbers beyond 64 bits have temporaries of GMP's: codec draws them.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
. "$here/server.sh"
server_start socket

status=0
for path in "$top"/machines/*.yaml; do
    few=$("$ALLOCATIONS" "$path" 8)
    many=$("$ALLOCATIONS" "$path" 16)
    calls=$((${many% *} - ${few% *}))
    steps=$((${many#* } - ${few#* }))
    case $path in
    */codec.yaml) most=3 ;;
    *) most=1 ;;
    esac
    if [ "$steps" -lt 100 ] || [ "$calls" -ge $((most * steps)) ]; then
        echo "$(basename "$path" .yaml): $calls calls for memory in $steps steps"
        status=1
    fi
done
exit "$status"
