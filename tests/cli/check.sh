#!/bin/sh
# The command check without a database: warnings, the messages for editors, and the documented patterns that editors use
# to parse them. DOCS is the folder of the documents.
set -eu
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

cat >doubtful.yaml <<END
machine: doubtful
model: |
  names = []
  gone = set()
rules:
  add: {args: {name: 'text()'}, sql: 'INSERT INTO t VALUES (:name)', model: names.append(name)}
  read: {sql: 'SELECT name FROM t WHERE name <> ''"'''}
  drop: {args: {name: gone}, sql: 'DELETE FROM t WHERE name = :name'}
invariants:
  names: {sql: SELECT name FROM t, expect: names}
  some: SELECT name FROM t WHERE random() < 0.1
  always: {check: 1 < 2}
END
cat >wrong.yaml <<END
machine: wrong
rules:
  é: {sql: 'SELECT :é', expct: 1}
  add: {raises: unique_violations, sql: SELECT 1}
END
printf 'machine: right\nrules: {tick: {sql: SELECT 1}}\n' >right.yaml

# Warnings have a place and a way out, and leave the exit status alone.
runs 0 check doubtful.yaml
out "ok  doubtful.yaml  3 rules, 3 invariants"
err "doubtful.yaml:7:3: warning: rule 'read' changes nothing and compares nothing"
err "doubtful.yaml:8:17: warning: 'drop' can never run: 'gone' is empty, and nothing puts a value into it"
err "doubtful.yaml:10:16: warning: \`expect\` is a list, which is compared in order, but nothing orders the rows"
err '  names: {sql: SELECT name FROM t, expect: names}'
err "doubtful.yaml:11:34: warning: invariant 'some' calls random(), which gives another value each time"
err "doubtful.yaml:12:19: warning: this check reads neither the result nor the model"
err "hint: add ORDER BY, or expect a set, or bag([…]) if rows may be equal"
[ "$(grep -c 'warning:' err)" = 5 ] || complain "$said: not five warnings"
[ "$(grep -c 'hint:' err)" = 5 ] || complain "$said: not five hints"
runs 4 check --strict right.yaml doubtful.yaml
out 'ok  right.yaml  '
out 'unmet  doubtful.yaml  '
runs 4 check --strict -q right.yaml doubtful.yaml
out_lacks right.yaml
out '; 5 warnings, which --strict does not allow'
runs 0 check --strict right.yaml

# For editors: one line for each message and no other output.
runs 0 check --format json doubtful.yaml right.yaml
[ ! -s err ] || complain "$said: standard error"
[ "$(wc -l <out)" = 5 ] || complain "$said: not five lines"
runs 2 check --format=json wrong.yaml doubtful.yaml missing.yaml
[ ! -s err ] || complain "$said: standard error"
[ "$(grep -c '"severity":"error"' out)" -ge 4 ] || complain "$said: no four errors"
out '"file":"wrong.yaml","line":3,"column":25,"severity":"error","message":'
out '{"file":"missing.yaml","severity":"error","message":"'
if command -v jq >/dev/null; then
    jq -e '(.file | type == "string") and (.message | length > 0) and (.severity | test("^(error|warning)$")) and
           ((has("line") | not) or (.line > 0 and .column > 0))' out >checked || complain "$said: not as documented"
    [ "$(wc -l <out)" = "$(grep -c true checked)" ] || complain "$said: some line is not as documented"
    [ "$(jq -r 'select(.line == 10) | .hint' out)" = "add ORDER BY, or expect a set, or bag([…]) if rows may be equal" ] ||
        complain "$said: the hint of line 10"
fi
runs 2 check --format xml right.yaml
err "--format must be text|json, not 'xml'"
runs 0 complete -- check --format ''
[ "$(cat out)" = "text
json" ] || complain "$said: words"

# The page for editors: the problem matcher of VS Code, and the errorformat of Vim.
runs 2 check wrong.yaml doubtful.yaml
grep -E '^(wrong|doubtful).yaml:' err | sort >said
sed -n 's/.*"regexp": "\(.*\)",$/\1/p' "$DOCS/EDITORS.md" | sed 's/\\\\/\\/g' >regexp
grep -P -f regexp err | sort >matched
cmp said matched || complain "the regular expression finds other lines"
if command -v vim >/dev/null; then
    sed -n 's/^set errorformat=/&/p' "$DOCS/EDITORS.md" >found.vim
    cat >>found.vim <<'END'
cgetfile err
let places = map(getqflist(), 'bufname(v:val.bufnr) . ":" . v:val.lnum . ":" . v:val.col . ":" . v:val.type')
call writefile(places, 'places')
quitall!
END
    vim -u NONE -i NONE -n -es -S found.vim </dev/null >vim.out 2>&1 || true
    sed 's/^\([^:]*:[0-9]*:[0-9]*\): \([ew]\).*/\1:\2/' said >wanted
    sort places | cmp - wanted || complain "Vim finds other places: $(cat places)"
fi

finish
