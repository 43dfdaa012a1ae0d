#!/bin/sh
# What `pgfsm diff` finds from the files of two schemas alone, though few clients would see it: each schema is compared
# with itself, and with a change.
set -u
. "$(dirname "$0")/common.sh"
common_begin
trap common_end EXIT
no_database
: >nothing.sql

# finds TEXT: what the report says of the change on standard input.
finds() {
    cat >change.sql
    runs 1 diff --schema schema.sql --apply change.sql --max-failures 1 --examples 40 --steps 15 --seed 1 --no-save
    out "$1"
}

# Forms of a value that equality ignores, and what writes through views.
cat >schema.sql <<'END'
CREATE TABLE t (id int PRIMARY KEY, a int, done bool NOT NULL DEFAULT false);
CREATE FUNCTION total() RETURNS numeric LANGUAGE sql STABLE AS 'SELECT coalesce(sum(a), 0)::numeric + 0.00 FROM t';
CREATE FUNCTION keys() RETURNS json LANGUAGE sql STABLE AS $$ SELECT json_build_object('a', 1, 'b', 2) $$;
CREATE VIEW "Open 'it""s" AS SELECT id, a AS "co:l", done FROM t WHERE NOT done WITH CHECK OPTION;
CREATE VIEW v AS SELECT id AS t_id, a FROM t UNION ALL SELECT 0, 0 WHERE false;
CREATE VIEW sorted AS SELECT id, a FROM t ORDER BY coalesce(a, (1)) DESC, id;
CREATE FUNCTION top() RETURNS SETOF t LANGUAGE plpgsql STABLE AS
    'BEGIN RETURN QUERY SELECT * FROM t ORDER BY a DESC, id; END';
CREATE FUNCTION unsorted() RETURNS SETOF t LANGUAGE plpgsql STABLE AS 'BEGIN RETURN QUERY SELECT * FROM t; END';
CREATE FUNCTION ins() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO t VALUES (NEW.t_id, NEW.a); RETURN NEW; END';
CREATE FUNCTION upd() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN UPDATE t SET a = NEW.a, id = NEW.t_id WHERE id = OLD.t_id; RETURN NEW; END';
CREATE TRIGGER i INSTEAD OF INSERT ON v FOR EACH ROW EXECUTE FUNCTION ins();
CREATE TRIGGER u INSTEAD OF UPDATE ON v FOR EACH ROW EXECUTE FUNCTION upd();
END
runs 0 diff --schema schema.sql --apply nothing.sql --examples 8 --steps 15 --seed 1 --no-save
finds 'row 1 is 0.00 before, 0.00000 after' <<'END'
CREATE OR REPLACE FUNCTION total() RETURNS numeric LANGUAGE sql STABLE AS
    'SELECT coalesce(sum(a), 0)::numeric + 0.00000 FROM t';
END
finds 'row 1 is {"a": 1, "b": 2} before, {"b": 2, "a": 1} after' <<'END'
CREATE OR REPLACE FUNCTION keys() RETURNS json LANGUAGE sql STABLE AS $$ SELECT json_build_object('b', 2, 'a', 1) $$;
END
# The script shows it, too.
runs 1 diff --schema schema.sql --apply change.sql --max-failures 1 --examples 40 --steps 15 --seed 1
runs 1 replay counterexamples/schema-call_keys*-rows.sql # alone, or in FROM
rm -r .pgfsm counterexamples

# An order that a view or a function decides.
finds 'rows in another order' <<'END'
CREATE OR REPLACE VIEW sorted AS SELECT id, a FROM t ORDER BY coalesce(a, (1)), id;
END
finds 'rows in another order' <<'END'
CREATE OR REPLACE FUNCTION top() RETURNS SETOF t LANGUAGE plpgsql STABLE AS
    'BEGIN RETURN QUERY SELECT * FROM t ORDER BY a, id; END';
END
finds 'raised with_check_option_violation before and succeeded after' <<'END'
CREATE OR REPLACE VIEW "Open 'it""s" AS SELECT id, a AS "co:l", done FROM t WHERE NOT done;
END
finds 'update_v_rows(key=' <<'END'
CREATE OR REPLACE FUNCTION upd() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN UPDATE t SET a = NEW.a WHERE id = OLD.t_id; RETURN NEW; END';
END

# What is sent to channels that the schema's texts name: as a literal of pg_notify(), in NOTIFY, in a rule.
cat >schema.sql <<'END_SQL'
CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE FUNCTION told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        NOTIFY "Gone t"; RETURN OLD;
    END IF;
    PERFORM pg_notify('t_changed', NEW.id::text);
    RETURN NEW;
END $$;
CREATE TRIGGER told AFTER INSERT OR UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION told();
CREATE TABLE ruled (id int PRIMARY KEY);
CREATE RULE tells AS ON DELETE TO ruled DO ALSO NOTIFY Ruled_gone;
END_SQL
runs 0 init --free --schema schema.sql
out 'listen: ["Gone t", "ruled_gone", "t_changed"]'
runs 0 diff --schema schema.sql --apply nothing.sql --examples 2 --steps 10 --seed 1 --no-save
finds 'only before (channel="t_changed", payload=' <<'END'
DROP TRIGGER told ON t;
CREATE TRIGGER told AFTER INSERT OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION told();
END
left_nothing
finish
