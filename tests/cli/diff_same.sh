#!/bin/sh
# What is no difference is not reported: values that servers make, the order of rows that tie, and changes that no client
# sees; and beside each of them what is one.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database
options='--examples 40 --steps 20 --seed 1 --no-save'

# same NAME, differs NAME: NAME.old.sql and NAME.new.sql, with the machine NAME.yaml.
same() {
    # shellcheck disable=SC2086 # words
    runs 0 diff "$1.yaml" --new-schema "$1.new.sql" $options
}
differs() {
    # shellcheck disable=SC2086
    runs 1 diff "$1.yaml" --new-schema "$1.new.sql" $options
}
machine() { # NAME: the rules come from standard input
    {
        printf 'machine: %s\nschema: %s.old.sql\nsettings: {errors: any}\nrules:\n' "$1" "$1"
        cat
    } >"$1.yaml"
}

# A constraint under another name is said once.
cat >renamed.old.sql <<'END'
CREATE TABLE t (n int CONSTRAINT low CHECK (n > 0), m int CONSTRAINT high CHECK (m < 100));
END
sed 's/low/positive/' renamed.old.sql >renamed.new.sql
machine renamed <<'END'
  add: {args: {n: "integers(-1, 1)", m: "integers(99, 101)"}, sql: "INSERT INTO t VALUES (:n, :m)"}
END
same renamed
out "low"
# One that both schemas have is no other one's new name.
sed 's/low/x/; s/high/low/; s/CONSTRAINT x/CONSTRAINT high/' renamed.old.sql >renamed.new.sql
differs renamed
# Also where the schema has operators of its own, and its search_path leads to them first.
cat >>renamed.old.sql <<'END'
CREATE FUNCTION fails(oid, oid) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not for pgfsm'; END $$;
CREATE OPERATOR = (LEFTARG = oid, RIGHTARG = oid, FUNCTION = fails);
DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$;
END
sed 's/low/x/; s/high/low/; s/CONSTRAINT x/CONSTRAINT high/' renamed.old.sql >renamed.new.sql
differs renamed

# Tables of one name in two schemas have constraints of their own.
cat >schemas.old.sql <<'END'
CREATE SCHEMA a;
CREATE TABLE t (n int CONSTRAINT low CHECK (n > 0));
CREATE TABLE a.t (n int CONSTRAINT low CHECK (n > 0));
END
sed '/a\.t/s/low/positive/' schemas.old.sql >schemas.new.sql
machine schemas <<'END'
  add: {args: {n: "integers(0, 1)"}, sql: "INSERT INTO t VALUES (:n)"}
  add_to_a: {args: {n: "integers(0, 1)"}, sql: "INSERT INTO a.t VALUES (:n)"}
END
same schemas
out 'a.t'

# A partitioned table: an error names the partition, whatever that is called, and its own constraint.
cat >partitioned.old.sql <<'END'
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL CHECK (n > 0));
END
cat >partitioned.new.sql <<'END'
CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL CHECK (n > 0)) PARTITION BY HASH (id);
CREATE TABLE even PARTITION OF t FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE odd PARTITION OF t FOR VALUES WITH (MODULUS 2, REMAINDER 1);
ALTER INDEX even_pkey RENAME TO no_two;
END
machine partitioned <<'END'
  add: {args: {id: "integers(1, 4)", n: "integers(0, 1) | none()"}, sql: "INSERT INTO t VALUES (:id, :n)"}
END
same partitioned

# A value that the server makes may have another form, also inside of JSON; one that is made once only is a difference.
cat >tokens.old.sql <<'END'
CREATE TABLE t (n int, token text DEFAULT gen_random_uuid()::text);
CREATE FUNCTION invite(n int) RETURNS json LANGUAGE sql AS $$
    INSERT INTO t VALUES (n) RETURNING json_build_object('token', token)
$$;
CREATE FUNCTION accept(given text) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM t WHERE token = given $$;
END
sed "s/gen_random_uuid()::text/replace(gen_random_uuid()::text, '-', '')/" tokens.old.sql >tokens.new.sql
machine tokens <<'END'
  invite: {args: {n: "integers(1, 4)"}, sql: "SELECT invite(:n)", returns: 'result.rows[0][0]["token"]', target: tokens}
  accept: {args: {token: tokens}, sql: "SELECT accept(:token)"}
  list: {sql: SELECT * FROM t}
END
same tokens
sed "s/gen_random_uuid()::text/repeat('1a', 20)/" tokens.old.sql >tokens.new.sql
differs tokens

# A uuid that a schema names is not made by a server.
cat >constant.old.sql <<'END'
CREATE TABLE t (id uuid DEFAULT gen_random_uuid(), tenant uuid DEFAULT '5d1e0000-0000-4000-8000-00000000000a');
END
sed 's/00a/00b/' constant.old.sql >constant.new.sql
machine constant <<'END'
  add: {sql: INSERT INTO t DEFAULT VALUES RETURNING *}
END
differs constant
out 'tenant'
cat >body.old.sql <<'END'
CREATE FUNCTION root() RETURNS uuid LANGUAGE sql BEGIN ATOMIC SELECT '5d1e0000-0000-4000-8000-00000000000a'::uuid; END;
END
sed 's/00a/00b/' body.old.sql >body.new.sql
machine body <<'END'
  ask: {sql: SELECT root()}
END
differs body
cat >domain.old.sql <<'END'
CREATE DOMAIN owner AS uuid DEFAULT '5d1e0000-0000-4000-8000-00000000000a';
CREATE TABLE t (id int, owner owner);
END
sed 's/00a/00b/' domain.old.sql >domain.new.sql
machine domain <<'END'
  add: {sql: INSERT INTO t (id) VALUES (1) RETURNING *}
END
differs domain

# Names that each database gives its objects, rows and transactions.
cat >names.old.sql <<'END'
CREATE TABLE t (n int);
CREATE FUNCTION places() RETURNS TABLE (of oid, place tid, transaction xid) LANGUAGE sql AS $$ SELECT tableoid, ctid, xmin FROM t $$;
END
sed 's/CREATE TABLE t/CREATE TABLE before_it (n int); &/' names.old.sql >names.new.sql
machine names <<'END'
  add: {sql: INSERT INTO t VALUES (1) RETURNING tableoid}
  places: {sql: SELECT * FROM places()}
END
same names

# calls CONDITION: a schema whose function tells whether the number of its calls is such, which no rollback undoes.
calls() {
    cat <<END_SQL
CREATE FUNCTION calls() RETURNS bool LANGUAGE plpgsql AS \$\$
DECLARE
    path text := '$TMPDIR/' || current_database();
    number int := coalesce(length(pg_read_file(path, 0, 1000, true)), 0);
BEGIN
    EXECUTE format('COPY (SELECT repeat(''a'', %s)) TO %L', number, path);
    RETURN number + 1 $1;
END
\$\$;
END_SQL
}
machine calls <<'END'
  calls: {sql: SELECT calls()}
END
options='--examples 1 --steps 1 --seed 1 --no-save'
# The first database differs from itself, but not the first time.
calls '= 3' >calls.old.sql
calls '= 1' >calls.new.sql
same calls
out "as pairs       column calls of calls"
rm "$TMPDIR"/pgfsm_*
# What nobody can see again is not reported.
calls '= 0' >calls.old.sql
calls '<= 2' >calls.new.sql
same calls
out_lacks "as pairs"
rm "$TMPDIR"/pgfsm_*

# The number of a transaction goes to each database as its own, so what it finds there is compared.
cat >numbers.old.sql <<'END'
CREATE TABLE t (n serial PRIMARY KEY, x xid8 NOT NULL DEFAULT pg_current_xact_id());
END
cp numbers.old.sql numbers.new.sql
machine numbers <<'END'
  add: {sql: INSERT INTO t DEFAULT VALUES RETURNING x, target: xs}
  find: {args: {x: xs}, sql: "SELECT n FROM t WHERE x = :x"}
END
sed -i 's/errors: any/&, transactions: commit/' numbers.yaml
options='--examples 4 --steps 6 --seed 1 --no-save'
same numbers
out "2 rules with success"
out_lacks "not compared"

left_nothing
# Without a machine, any name will do.
cat >names.sql <<'END'
CREATE TABLE "we'ird ""T" (id serial PRIMARY KEY, "co`l \x" text CHECK ("co`l \x" IN ('x"y''z', 'b\')), "select" int);
CREATE TABLE nested (id serial PRIMARY KEY, n int, j jsonb);
END
# shellcheck disable=SC2086
runs 0 diff --schema names.sql --new-schema names.sql $options
finish
