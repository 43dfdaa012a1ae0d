#!/bin/sh
# zones.sh [ZONE...]
#
# at_time_zone agrees with the server in both directions, in 50 zones and 100 years. $ZONES writes the cases. We read
# the server's own copy of the tz database, if it has one.
set -eu

. "$(dirname "$0")/server.sh"
server_start socket
for share in "$("$SERVER_BIN/pg_config" --sharedir 2>/dev/null || true)" "$SERVER_BIN/../share/postgresql"; do
    [ ! -d "$share/timezone" ] || export TZDIR="$share/timezone"
done

# Offsets of half and quarter hours, changes by half an hour, across midnight, across the date line, by the hour 24 and
# more, to an earlier standard time, in years with four changes, of one day in 30 years; zones without changes;
# abbreviations.
[ $# -gt 0 ] || set -- Europe/Berlin Europe/Dublin Europe/Lisbon Europe/London Europe/Moscow Europe/Istanbul \
    Europe/Kiev Asia/Tokyo Asia/Kolkata Asia/Kathmandu Asia/Tehran Asia/Gaza Asia/Jerusalem Asia/Amman Asia/Beirut \
    Asia/Pyongyang Asia/Shanghai Asia/Manila Asia/Dhaka Africa/Cairo Africa/Casablanca Africa/El_Aaiun \
    Africa/Johannesburg Africa/Monrovia Africa/Windhoek Africa/Juba Africa/Tripoli America/New_York \
    America/Los_Angeles America/St_Johns America/Sao_Paulo America/Santiago America/Asuncion America/Mexico_City \
    America/Havana America/Caracas America/Godthab America/Scoresbysund America/Adak America/Phoenix \
    America/Indiana/Knox America/Argentina/San_Luis Pacific/Apia Pacific/Kwajalein Pacific/Chatham Pacific/Fiji \
    Pacific/Norfolk Pacific/Tongatapu Pacific/Kiritimati Australia/Lord_Howe Australia/Eucla Antarctica/Troll \
    Atlantic/Azores Etc/GMT+5 EST5EDT UTC GMT CET EST MET
"$ZONES" "$@" >"$SERVER_DIR/zones.sql"
cases=$(grep -c "$(printf '\t')" "$SERVER_DIR/zones.sql")
psql -qXAt --file "$SERVER_DIR/zones.sql" >"$SERVER_DIR/answers"
if [ "$(cat "$SERVER_DIR/answers")" != "$cases" ]; then
    echo "zone | time | whether it is local | ours | the server's (at most 20), then the number of cases, which is $cases:"
    cat "$SERVER_DIR/answers"
    exit 1
fi
