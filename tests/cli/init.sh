#!/bin/sh
# init.sh SCHEMA few|all
#
# The machine that `pgfsm init` makes of init/SCHEMA.sql passes check, passes a run without changes, and finds every bug
# that init_bugs.sql plants, and those of init/SCHEMA.bugs, a line each. init/SCHEMA.same lists the bugs that it does
# not find, with the reason. `few`: one seed, few examples, and two of the bugs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
schema=$1
case $2 in
few) seeds=1 examples=15 ;;
all) seeds='1 2 3' examples=100 ;;
esac
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cp "$here/init/$schema.sql" .
runs 0 init --schema "$schema.sql" -o made.yaml
runs 0 check made.yaml
for seed in $seeds; do
    runs 0 run made.yaml --no-save --examples "$examples" --seed "$seed"
done

psql -qX -v ON_ERROR_STOP=1 -d postgres -f "$schema.sql" || complain "$schema.sql is not loaded"
psql -qXAt -v ON_ERROR_STOP=1 -d postgres -f "$here/init_bugs.sql" >planted || complain 'no bugs to plant'
cat "$here/init/$schema.same" 2>/dev/null >same || :
unknown=$(grep -v '^--' same | grep -vxFf planted)
[ -z "$unknown" ] || complain "not among the bugs any more: $unknown"
{
    grep -vxFf same planted
    cat "$here/init/$schema.bugs" 2>/dev/null
} >bugs
total=$(wc -l <bugs)
[ "$total" -ge 2 ] || complain "only $total bugs to plant"

# Other tests cover shrinking.
grep -q '^settings: ' made.yaml || sed -i 's/^machine: .*/&\nsettings: {steps: 50}/' made.yaml
sed 's/^settings: {/&shrink: {executions: 0}, /' made.yaml >quick.yaml
line=0
tried=0
step=$((total / 2 + 1))
missed=0
finds() { # EXAMPLES: whether a run of so many finds what bug.sql plants
    "$PROGRAM" run quick.yaml --no-save --examples "$1" --seed 1 --apply bug.sql >out 2>&1 </dev/null
    [ $? -eq 1 ] && grep -q '^FAIL  ' out
}
while read -r bug; do
    line=$((line + 1))
    [ "$2" = all ] || [ $((line % step)) -eq $((1 % step)) ] || continue
    tried=$((tried + 1))
    echo "$bug;" >bug.sql
    # Most are found at once.
    finds 5 || finds 20 || finds 300 || {
        complain "planted and not found: $bug: $(head -n 1 out)"
        missed=$((missed + 1))
    }
done <bugs
echo "$schema: $tried bugs of $total, $missed of them not found"
finish
