#!/bin/sh
# A step allocates no memory outside of the arenas, with rare exceptions (texts that are pasted into SQL, texts built by
# %, copies of large values). Every machine makes fewer calls than steps, but an allocation in the path of all steps
# would make more. $ALLOCATIONS counts calls and steps. The machine codec is an exception: it draws numbers beyond 64
# bits, for which GMP allocates temporaries. By night ($PGFSM_TEST_ALL), of all machines; else of every fourth.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
. "$here/server.sh"
server_start socket

status=0
count=0
for path in "$top"/machines/*.yaml; do
    count=$((count + 1))
    [ -n "$TEST_ALL" ] || [ $((count % 4)) = 1 ] || continue
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
