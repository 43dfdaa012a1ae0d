#!/bin/sh
# libpq's environment variables do not affect an embedded server or connections to it, and neither do the caller's
# signals and descriptors. Other processes can't see a password in a connection URI.
# shellcheck disable=SC2317 # functions that until_true calls
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database

echo "CREATE TABLE found AS SELECT current_setting('geqo') AS geqo, current_setting('work_mem') AS work_mem,
    current_setting('DateStyle') AS style, current_setting('TimeZone') AS zone;" >found.sql
cat >found.yaml <<'END2'
machine: found
schema: found.sql
settings: {examples: 3, steps: 3}
rules:
  ask:
    sql: |
      SELECT geqo = 'on' AND work_mem = '4MB' AND style = 'ISO, MDY' AND zone <> 'Mars/Phobos'
         AND current_setting('geqo') = 'on' AND current_setting('work_mem') = '4MB'
      FROM found
    expect: "True"
END2
sed 's/"True"/"False"/' found.yaml >wrong.yaml
runs 0 run found.yaml

export PGOPTIONS='-c work_mem=5MB -c nosuch=1' PGTZ=Mars/Phobos PGDATESTYLE=nonsense PGGEQO=off PGSSLMODE=verify-full \
    PGSSLROOTCERT=/nonexistent PGSSLCERT=/nonexistent PGSSLKEY=/nonexistent PGPASSFILE=/nonexistent \
    PGREQUIREPEER=nosuch PGCHANNELBINDING=require PGGSSENCMODE=require PGTARGETSESSIONATTRS=standby \
    PGCLIENTENCODING=LATIN1 PGCONNECT_TIMEOUT=1 PGDATA=/nonexistent PGUSER=nosuch PGPASSWORD=nosuch \
    PGREQUIREAUTH=none,scram-sha-256 PGAPPNAME=nosuch PGSERVICEFILE=/nonexistent PGSYSCONFDIR=/nonexistent
runs 0 run found.yaml
runs 0 check found.yaml
runs 1 run wrong.yaml
runs 1 replay counterexamples/*.sql
export PGHOST=/nonexistent PGHOSTADDR=203.0.113.1 PGPORT=1 PGDATABASE=nosuch PGSERVICE=nosuch \
    DATABASE_URL=postgres://nosuch/nosuch
runs 0 run found.yaml --embedded
runs 0 check found.yaml --embedded
runs 1 replay counterexamples/*.sql --embedded
left_nothing

# The server's initial state. A wrapper script records it and then starts the real server.
bin=$(pg_config --bindir)
mkdir bin
ln -s "$bin"/* bin/
rm bin/postgres
cat >bin/postgres <<END2
#!/bin/sh
case " \$* " in *" -k "*)
    { grep '^Sig[BI]' /proc/self/status; env | grep '^PG'; ls /proc/self/fd; } >"$DIR/began"
    [ ! -e "$DIR/hold" ] || exec sleep 90
    [ ! -e "$DIR/deaf" ] || trap '' QUIT
    while [ -e "$DIR/deaf" ]; do sleep 1; done
esac
exec "$bin/postgres" "\$@"
END2
chmod +x bin/postgres
chmod 777 .
status=0
(trap '' QUIT USR1 && exec env -u PGHOST "$PROGRAM" run found.yaml --embedded --pg-bindir bin) >out 2>err || status=$?
said="pgfsm run --pg-bindir"
[ "$status" = 0 ] || {
    complain "$said: exit status $status"
    show
}
[ "$(sed -n 's/^Sig...:[[:space:]]*//p' began | sort -u)" = 0000000000000000 ] || complain "$said: signals: $(cat began)"
! grep -q '^PG' began || complain "$said: environment: $(cat began)"
# 0 to 2, the pipe that reports its end, and the descriptors of ls and the shell
[ "$(grep -c '^[0-9]*$' began)" -le 6 ] || complain "$said: descriptors: $(cat began)"

# Ctrl-C while it starts: one that waits, and one that does not listen.
began() { [ -e began ]; }
for kind in hold deaf; do
    rm -f began
    touch "$kind"
    begin run found.yaml --embedded --pg-bindir bin
    until_true began
    kill -s INT $!
    ends 130
    rm "$kind"
    until_true nothing_left
done

# The list of processes, and the message if no server answers.
begin run found.yaml --wait 100s -d 'postgres://ann:s3cret@127.0.0.1:1/app?sslmode=disable'
named=$!
hidden() { tr '\0' ' ' <"/proc/$named/cmdline" | grep -q 'ann:xxxxxx@127'; }
until_true hidden
! tr '\0' ' ' <"/proc/$named/cmdline" | grep -q s3cret || complain "$said: a password can be seen"
kill -s INT "$named"
ends 130
for address in 'postgres://ann:s3cret@127.0.0.1:1/app' 'postgres://ann:a/s3cret@127.0.0.1:1/app' \
    'host=127.0.0.1 port=1 password=s3cret' 'postgres://ann:s3cret%zz@127.0.0.1:1/app'; do
    status=0
    "$PROGRAM" run found.yaml -d "$address" >out 2>err || status=$?
    [ "$status" = 3 ] || [ "$status" = 2 ] || complain "run -d $address: exit status $status"
    ! grep s3cret out err || complain "run -d $address: the password is told"
done
finish
