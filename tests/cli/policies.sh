#!/bin/sh
# policies.sh
#
# Tables whose policies nothing tests: each has a warning, but many share one, by who touches them. The same goes for
# tables whose policies lead back to them.
set -u
. "$(dirname "$0")/../pg/server.sh"
. "$(dirname "$0")/common.sh"
server_start socket
common_begin
trap 'common_end; server_stop' EXIT

psql -qX --command 'CREATE ROLE policies_owner' --command 'CREATE ROLE policies_app'

# Tables NAME_1, NAME_2, … of an owner, each with a policy and a rule that reads it as a role.
schema() { # NAME COUNT POLICY
    for i in $(seq "$2"); do
        printf 'CREATE TABLE %s_%d (id int);\nALTER TABLE %s_%d ENABLE ROW LEVEL SECURITY;\n' "$1" "$i" "$1" "$i"
        printf 'CREATE POLICY p%d ON %s_%d USING (%s);\n' "$i" "$1" "$i" "$3" | sed "s/@/$1_$i/"
        printf 'GRANT SELECT ON %s_%d TO policies_app;\nALTER TABLE %s_%d OWNER TO policies_owner;\n' "$1" "$i" "$1" "$i"
    done
}
rules() { # NAME COUNT CONTEXT
    for i in $(seq "$2"); do
        printf '  %s_%d: {%s, sql: SELECT count(*) FROM %s_%d, raises: "[None, invalid_object_definition]"}\n' \
            "$1" "$i" "$3" "$1" "$i"
    done
}
check() { # NAME: with the rules in `list`
    { printf 'machine: %s\nschema: %s.sql\nrules:\n' "$1" "$1" && cat list; } >"$1.yaml"
    runs 0 run "$1.yaml" --seed 1 --examples 1 --no-save
}
lines() { # COUNT TEXT
    [ "$(grep -c "^    warning .*$2" out)" = "$1" ] || complain "not $1 lines: $2: $(cat out)"
}

schema a 5 true >five.sql
rules a 5 'as: {}' >list
check five
lines 5 'nothing tests the policies of public\.a_[1-5]: every rule and invariant that touches it runs as .*, a superuser; '

# Rules of other roles touch other tables, and are named with them. Tests by a role that policies apply to count only
# for that role.
{ schema a 20 true && schema b 6 true && schema c 2 true && schema d 7 true; } >many.sql
{
    rules a 20 'as: {}'
    rules b 6 'as: {role: policies_owner}'
    rules c 2 'as: {role: policies_owner}'
    rules d 7 'as: {role: policies_app}'
} >list
check many
lines 1 'of 20 tables (public\.a_1, public\.a_10, public\.a_11 and 17 more): every rule .* touches them runs as .*, a superuser; '
lines 1 'of 8 tables (public\.b_1, .* and 5 more): every rule .* runs as policies_owner, its owner, without FORCE'
lines 2 'nothing tests'
out_lacks 'public.d_'

schema a 6 'EXISTS (SELECT FROM @)' >back.sql
rules a 6 'as: {role: policies_app}' >list
check back
lines 1 'the policies of 6 tables (public\.a_1, public\.a_2, public\.a_3 and 3 more) lead back to them, .* they apply; let them'
schema a 5 'EXISTS (SELECT FROM @)' >again.sql
rules a 5 'as: {role: policies_app}' >list
check again
lines 5 'the policies of public\.a_[1-5] lead back to it, so that every use of it fails where they apply: p[1-5]; let them'
finish
