#!/bin/sh
# --report FORMAT=FILE: reports in addition to the output; files that can't be written.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

cat >good.yaml <<'YAML'
machine: good
rules:
  tick: {sql: SELECT 1}
settings: {examples: 2, steps: 3, seed: 1}
YAML

# In addition to the text, and with the same words.
runs 0 run --no-save --report text=report.txt good.yaml
out "ok  good  2 examples, 6 steps"
cut -d, -f1-2 out >printed
cut -d, -f1-2 report.txt | cmp - printed || complain "the file differs from what is printed"

# The text both on standard output and in a file, which contains all machines.
runs 0 run --no-save --report text --report text=two.txt good.yaml good.yaml
out "2 machines: 2 ok"
[ "$(grep -c '^ok  good' two.txt)" = 2 ] || complain "a machine is missing in two.txt"

# Why a machine could not be read, or its run not continue: once on a terminal, and in each file.
printf 'machine: bad\nrules: {a: {sql: SELECT 1, foo: 1}}\n' >bad.yaml
printf 'machine: stops\nmodel: n = 0\nrules: {a: {sql: SELECT 1, model: n = n / 0}}\n' >stops.yaml
runs 2 run --no-save --report text=bad.txt bad.yaml stops.yaml
out_lacks "error: "
err "bad.yaml:2:28: error: a rule has no key 'foo'"
grep -v '^ *stop  \|machines: ' bad.txt | diff - err || complain "bad.txt and standard error differ"
holds bad.txt "the run could not continue"

runs 2 run --report text= good.yaml
err "--report has no file after '='"
runs 2 run --report text=a.txt --report text=a.txt good.yaml
err "two reports go to a.txt"
# With any name of the file, whether or not it exists.
mkdir -p sub
ln -sf . here
for path in ./a.txt sub/../a.txt "$DIR/a.txt" here/a.txt; do
    rm -f a.txt
    runs 2 run --report text=a.txt --report "tap=$path" good.yaml
    err "two reports go to $path"
    : >a.txt
    runs 2 run --report text=a.txt --report "tap=$path" good.yaml
    err "two reports go to $path"
done
with="GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$DIR/summary.md"
runs 0 run --no-save --report markdown=summary.md good.yaml
[ "$(grep -c '^### .*good' summary.md)" = 1 ] || complain "the summary is written twice: $(cat summary.md)"
runs 2 run --report text --report text good.yaml
err "two reports go to standard output; name a file for one of them: --report text=FILE"
runs 2 run --report xml=a.txt good.yaml
err "there is no report format 'xml'"

# A file that can't be written is reported before the run starts.
for path in . /dev/null; do
    runs 2 run --report "text=$path" good.yaml
    err "--report: $path is not a plain file"
    out_lacks good
done
[ -c /dev/null ] || complain "/dev/null is no device any more"
runs 2 run --report text=missing/report.txt good.yaml
err "the text report is not written: can't write missing/report.txt: No such file or directory"
out_lacks good

# A disk that is full when there is something to write: the run says so, and leaves no part of a file.
said='with no room for files'
mkdir full
status=$(
    trap '' XFSZ
    ulimit -f 0
    { "$PROGRAM" run --no-save --report text=full/report.txt good.yaml 2>&1 || echo "status $?"; } | cat
)
echo "$status" >out
out "ok  good"
out "the text report is not written: can't write full/report.txt: File too large"
out "status 2"
[ -z "$(ls full)" ] || complain "full: $(ls full)"
out "full/report.txt is removed: it is not of this run, or not whole"

# If a new report can't be written, an older one is removed, or the run reports that it can't be.
echo old >full/report.txt
status=$(
    trap '' XFSZ
    ulimit -f 0
    { "$PROGRAM" run --no-save --report html=full/report.txt good.yaml 2>&1 || echo "status $?"; } | cat
)
echo "$status" >out
out "the html report is not written: can't write full/report.txt: File too large"
out "status 2"
[ -z "$(ls full)" ] || complain "full: $(ls full)"

# A file that becomes unwritable after a failure: the run says so, and has kept the failure.
mkdir -p open/gone
chmod 777 open open/gone
cat >removes.yaml <<YAML
machine: removes
rules:
  remove: {sql: "COPY (SELECT 1) TO PROGRAM 'rm -rf $DIR/open/gone'"}
invariants:
  wrong: {sql: SELECT 1, expect: 2}
settings: {examples: 2, steps: 3, seed: 1}
YAML
runs 2 run --report junit=open/gone/report.xml removes.yaml
out "FAIL  removes  invariant wrong"
err "the junit report is not written: can't write open/gone/report.xml: No such file or directory"
[ -s counterexamples/removes-wrong.sql ] || complain "the counterexample is lost: $(ls -R)"
[ -n "$(ls .pgfsm/removes)" ] || complain "the trace is lost"
finish
