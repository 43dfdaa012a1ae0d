#!/bin/sh
# `pgfsm diff --base REV`: the schema files as git has them at a revision.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export HOME="$DIR" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com \
    GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com

quick='--examples 2 --steps 5 --seed 1'

# A repository whose settings would run programs: none may run.
git init -q -b main repo
cd repo || exit 1
mkdir -p db/migrations db/parts machines
echo 'CREATE TABLE t (id int PRIMARY KEY, n int);' >db/migrations/1.sql
cat >db/migrations/2.sql <<'END_SQL'
\ir ../parts/view.sql
\i db/parts/function.sql
    \include 'db/parts/a function.sql'
SELECT '\i'; \i db/parts/function.sql
-- \i db/parts/function.sql
SELECT $$
\i db/parts/nowhere.sql
$$;
END_SQL
printf 'CREATE VIEW v AS SELECT id FROM t;\r\n' >db/parts/view.sql
echo 'CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;' >db/parts/function.sql
cp db/parts/function.sql 'db/parts/a function.sql'
echo 'SELECT 1;' >db/roles.ddl
ln -s migrations db/linked
cat >machines/app.yaml <<'END_YAML'
machine: app
schema: [../db/roles.ddl, '../db/linked/*.sql']
rules:
  add: {args: {n: "integers(1, 3)"}, sql: "INSERT INTO t VALUES (:n, :n)", raises: "[None, unique_violation]"}
END_YAML
git add -A
git commit -q -m one
cat >spy <<'END_SH'
#!/bin/sh
echo "$0 $*" >>"$SPIED"
cat
END_SH
chmod +x spy
for hook in post-checkout post-index-change reference-transaction; do
    cp spy .git/hooks/$hook
done
export SPIED="$DIR/spied"
git config core.fsmonitor "$PWD/spy"
git config filter.spy.smudge "$PWD/spy"
git config filter.spy.clean "$PWD/spy"
git config diff.spy.textconv "$PWD/spy"
echo '*.sql filter=spy diff=spy' >.git/info/attributes
git update-index -q --refresh >"$DIR/hooks" 2>&1
rm -f "$SPIED"

# Today: a file is changed, one is new, one is gone, and one is not in git.
echo 'CREATE VIEW v AS SELECT id, n FROM t;' >db/parts/view.sql
echo 'ALTER TABLE t ADD m int;' >db/migrations/3.sql
echo 'SELECT 2;' >db/extra.sql
sed -i 's|schema: .*|schema: [../db/extra.sql, "../db/migrations/*.sql"]|' machines/app.yaml
cp .git/index index
# shellcheck disable=SC2086 # words
runs 0 diff $quick --base main machines/app.yaml
base=.pgfsm/base-$(git rev-parse HEAD | cut -c1-12)
err "diff: machines/app.yaml: 3 schema files of main ($(git rev-parse HEAD | cut -c1-12)) and 4 of today"
cmp -s .git/index index || complain "$said: changed the index"
[ ! -e "$SPIED" ] || complain "$said: ran programs of the repository: $(cat "$SPIED")"
git show HEAD:db/parts/view.sql | cmp - "$base"/db/parts/view.sql || complain "$said: changed a file"
[ ! -e "$base"/db/migrations/3.sql ] || complain "$said: with a new file"
[ "$(readlink "$base"/db/linked)" = migrations ] || complain "$said: without the link"

# \i leads to the revision's file, which \ir does by itself. Text that only looks like it stays.
cat >wanted <<END_SQL
\\ir ../parts/view.sql
\\i '$base/db/parts/function.sql'
    \\include '$base/db/parts/a function.sql'
SELECT '\\i'; \\i '$base/db/parts/function.sql'
-- \\i db/parts/function.sql
SELECT \$\$
\\i db/parts/nowhere.sql
\$\$;
END_SQL
diff wanted "$base"/db/migrations/2.sql || complain "$said: \\i is not led to the revision's file"

# What is there is not trusted; with --no-save nothing is left.
echo 'SELECT 1 / 0;' >"$base"/db/parts/view.sql
ln -sfn parts "$base"/db/linked
# shellcheck disable=SC2086
runs 0 diff $quick --base main machines/app.yaml -q
[ ! -s err ] || complain "$said: $(cat err)"
git show HEAD:db/parts/view.sql | cmp - "$base"/db/parts/view.sql || complain "$said: trusts a file"
[ "$(readlink "$base"/db/linked)" = migrations ] || complain "$said: trusts a link"
rm -r .pgfsm
# shellcheck disable=SC2086
runs 0 diff $quick --base HEAD machines/app.yaml --no-save
[ ! -e .pgfsm ] || complain "$said: left $(find .pgfsm)"
left_nothing

# In a hook of a linked worktree, git's GIT_DIR does not tell the folder.
git worktree add -q "$DIR/linked" HEAD >"$DIR/hooks" 2>&1
with="GIT_DIR=$PWD/.git/worktrees/linked"
cd "$DIR/linked" || exit 1
# shellcheck disable=SC2086
runs 0 diff $quick --base HEAD machines/app.yaml --no-save
left_nothing
with=
cd "$DIR/repo" || exit 1

# From another folder, where \i finds nothing, today as then.
sed -i '2,4d' db/migrations/2.sql
git commit -q -m three db/migrations/2.sql >"$DIR/hooks" 2>&1
cd db || exit 1
# shellcheck disable=SC2086
runs 0 diff $quick --base main ../machines/app.yaml --no-save
# Without a machine: files and patterns, of the current folder. One that is new is left out.
mkdir new
echo 'SELECT 3;' >new/3.sql
# shellcheck disable=SC2086
runs 0 diff $quick --base main --schema 'migrations/*.sql' --schema extra.sql --schema 'new/*.sql' --apply new/3.sql
[ -f .pgfsm/diff/new.yaml ] || complain "$said: no machine: $(find .pgfsm)"
grep -q "base-[0-9a-f]*/db/migrations/2.sql" .pgfsm/diff/new.yaml || complain "$said: $(cat .pgfsm/diff/new.yaml)"
! grep -q "3.sql" .pgfsm/diff/new.yaml || complain "$said: with new files"
rm -r .pgfsm
cd "$DIR" || exit 1
# shellcheck disable=SC2086
runs 0 diff $quick --base main repo/machines/app.yaml --no-save
cd repo || exit 1
# shellcheck disable=SC2086
runs 0 diff $quick --base main "$PWD/machines/app.yaml" --no-save
left_nothing

# A machine whose schema is new is left out. Others run.
sed 's|schema: .*|schema: ../db/extra.sql|; s|machine: app|machine: new|; s|INTO t|INTO n|' machines/app.yaml >machines/new.yaml
# shellcheck disable=SC2086
runs 0 diff $quick --base main machines/new.yaml machines/app.yaml --no-save
err "diff: machines/new.yaml is left out: main has none of its schema's files"
out "agree  app"
out_lacks "agree  new"
runs 2 diff --base main --schema db/extra.sql --no-save
err "diff: --base: main has none of the files of --schema"

# What can't be compared.
sed '/schema:/d' machines/app.yaml >machines/bare.yaml
runs 2 diff --base main machines/bare.yaml --no-save
err "diff: --base: machines/bare.yaml has no schema"
echo 'SELECT 1;' >"$DIR/outside.sql"
sed "s|schema: .*|schema: ../../outside.sql|" machines/app.yaml >machines/outside.yaml
runs 2 diff --base main machines/outside.yaml --no-save
err "outside.sql is outside of the repository $(pwd -P)"
runs 2 diff --base main --schema "$PWD/db/migrations/1.sql" --no-save
err "db/migrations/1.sql has no file of an earlier revision; write a path that is relative"
for revision in nope -q '' 'main; touch x' 'main:db'; do
    runs 2 diff "--base=$revision" machines/app.yaml --no-save
    err "diff: --base: $(pwd -P) has no revision '$revision'; name a branch, a tag or a commit, and fetch it first"
done
[ ! -e x ] || complain "$said: ran the revision"
left_nothing
cd "$DIR" || exit 1
git -C repo commit -q --allow-empty -m two >"$DIR/hooks" 2>&1
git clone -q --depth 1 "file://$DIR/repo" shallow
runs 2 diff --base HEAD~1 shallow/machines/app.yaml --no-save
err "it is a shallow clone: clone it with its history (actions/checkout: \`fetch-depth: 0\`; GitLab: \`GIT_DEPTH: 0\`)"
mkdir plain
cp -r repo/db repo/machines plain
runs 2 diff --base main plain/machines/app.yaml --no-save
err "not a git repository"
err "without a repository, compare files: --schema OLD.sql --new-schema NEW.sql"
mkdir bin
for name in sh env psql; do
    ln -s "$(command -v $name)" bin/
done
with="PATH=$DIR/bin"
runs 2 diff --base main repo/machines/app.yaml --no-save
err "diff: --base needs the program git, which is not in PATH; install it, or compare files"
left_nothing

# Ctrl-C while the schema of the revision is loaded.
cd repo || exit 1
printf '%s\n' '\! touch loading' 'SELECT pg_sleep(90);' >db/slow.sql
sed 's|schema: .*|schema: ../db/slow.sql|' machines/app.yaml >machines/slow.yaml
git add -A >"$DIR/hooks" 2>&1
git commit -q -m slow >"$DIR/hooks" 2>&1
begin diff --base HEAD machines/slow.yaml --no-save
until_true test -e loading
kill -s INT $!
ends 130
left_nothing
finish
