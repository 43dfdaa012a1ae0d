-- Triggers and functions as applications have them: trees, histories, mirrors, names as arguments, a wide table.
CREATE FUNCTION nanoid(size int DEFAULT 8) RETURNS text LANGUAGE plpgsql VOLATILE AS $$ DECLARE r text := '';
    BEGIN FOR i IN 1..size LOOP r := r || substr('abcdefghijklmnop', 1 + floor(random() * 16)::int, 1); END LOOP; RETURN r;
    END $$;
CREATE TABLE acct (id text PRIMARY KEY DEFAULT nanoid(), name text NOT NULL, parent text REFERENCES acct, path text,
    depth int NOT NULL DEFAULT 0, children int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(), version int NOT NULL DEFAULT 1);
CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.updated_at = clock_timestamp();
    NEW.version = OLD.version + 1; RETURN NEW; END $$;
CREATE TRIGGER touch BEFORE UPDATE ON acct FOR EACH ROW EXECUTE FUNCTION touch();
CREATE FUNCTION tree() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE p acct;
    BEGIN IF NEW.parent IS NULL THEN NEW.path := NEW.id; NEW.depth := 0;
    ELSE SELECT * INTO p FROM acct WHERE id = NEW.parent; IF NOT FOUND THEN RAISE foreign_key_violation; END IF;
    IF p.path LIKE '%' || NEW.id || '%' THEN RAISE EXCEPTION 'cycle' USING ERRCODE = '23514'; END IF;
    NEW.path := p.path || '.' || NEW.id; NEW.depth := p.depth + 1; END IF; RETURN NEW; END $$;
CREATE TRIGGER tree BEFORE INSERT OR UPDATE OF parent ON acct FOR EACH ROW EXECUTE FUNCTION tree();
CREATE FUNCTION counts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF TG_OP IN ('DELETE',
    'UPDATE') THEN UPDATE acct SET children = children - 1 WHERE id = OLD.parent; END IF; IF TG_OP IN ('INSERT',
    'UPDATE') THEN UPDATE acct SET children = children + 1 WHERE id = NEW.parent; END IF; RETURN NULL; END $$;
CREATE TRIGGER counts AFTER INSERT OR DELETE OR UPDATE OF parent ON acct FOR EACH ROW EXECUTE FUNCTION counts();
CREATE TABLE acct_history (LIKE acct, op char(1) NOT NULL, at timestamptz NOT NULL DEFAULT now(), hid bigserial PRIMARY KEY);
CREATE FUNCTION hist() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO acct_history SELECT OLD.*, left(TG_OP, 1);
    RETURN NULL; END $$;
CREATE TRIGGER hist AFTER UPDATE OR DELETE ON acct FOR EACH ROW EXECUTE FUNCTION hist();
CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('INSERT INTO %I.audit_log (tab, row, who) VALUES ($1, $2, $3)',
    TG_TABLE_SCHEMA) USING TG_TABLE_NAME, to_jsonb(coalesce(NEW, OLD)), nullif(current_setting('app.user', true), '');
    PERFORM pg_notify('audit', TG_TABLE_NAME); RETURN NULL; END $$;
CREATE TABLE audit_log (id bigint GENERATED ALWAYS AS IDENTITY, tab name, row jsonb, who text,
    at timestamptz DEFAULT clock_timestamp());
CREATE TABLE pairs (a int, b int, note text, PRIMARY KEY (a, b), CHECK (a <> b));
CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON pairs FOR EACH ROW EXECUTE FUNCTION audit();
CREATE FUNCTION mirror() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
    IF TG_OP = 'INSERT' THEN INSERT INTO pairs VALUES (NEW.b, NEW.a, NEW.note) ON CONFLICT DO NOTHING;
    ELSE DELETE FROM pairs WHERE a = OLD.b AND b = OLD.a; END IF; RETURN NULL; END $$;
CREATE TRIGGER mirror AFTER INSERT OR DELETE ON pairs FOR EACH ROW EXECUTE FUNCTION mirror();
CREATE TABLE slot (id serial PRIMARY KEY, room int NOT NULL, span tstzrange NOT NULL);
CREATE FUNCTION no_overlap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(NEW.room);
    IF EXISTS (SELECT FROM slot WHERE room = NEW.room AND span && NEW.span AND id <> NEW.id) THEN RAISE EXCEPTION USING ERRCODE = 'exclusion_violation',
    MESSAGE = 'taken', CONSTRAINT = 'slot_span'; END IF; RETURN NEW; END $$;
CREATE TRIGGER no_overlap BEFORE INSERT OR UPDATE ON slot FOR EACH ROW EXECUTE FUNCTION no_overlap();
CREATE FUNCTION no_truncate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON slot FOR EACH STATEMENT EXECUTE FUNCTION no_truncate();
CREATE TABLE nested (id serial PRIMARY KEY, lft int NOT NULL, rgt int NOT NULL, CHECK (lft < rgt));
CREATE UNIQUE INDEX ON nested (lft);
CREATE UNIQUE INDEX ON nested (rgt);
CREATE FUNCTION add_node(under int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE r int; n int;
    BEGIN SELECT rgt INTO r FROM nested WHERE id = under FOR UPDATE; IF r IS NULL THEN SELECT coalesce(max(rgt),
    0) + 1 INTO r FROM nested; END IF; UPDATE nested SET rgt = rgt + 2 WHERE rgt >= r;
    UPDATE nested SET lft = lft + 2 WHERE lft > r; INSERT INTO nested (lft, rgt) VALUES (r, r + 1) RETURNING id INTO n;
    RETURN n; END $$;
CREATE TABLE wide (id int PRIMARY KEY); DO $$ BEGIN FOR i IN 1..150 LOOP EXECUTE format('ALTER TABLE wide ADD c%s %s', i,
    (ARRAY['int', 'text', 'date', 'boolean NOT NULL DEFAULT false', 'numeric(8,2)', 'timestamptz', 'uuid',
    'jsonb'])[1 + i % 8]); END LOOP; ALTER TABLE wide DROP c3, DROP c77; END $$;
CREATE FUNCTION ev() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN NULL; END $$;
    CREATE EVENT TRIGGER ev ON ddl_command_end EXECUTE FUNCTION ev();
CREATE FUNCTION comp(r acct, a pairs[], v anyarray, VARIADIC w text[]) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION of_row(a acct) RETURNS text LANGUAGE sql AS $$ SELECT a.name || '!' $$;
CREATE AGGREGATE mysum(int) (sfunc = int4pl, stype = int, initcond = '0');
CREATE FUNCTION search(q jsonb, l int DEFAULT 10,
    VARIADIC tags text[] DEFAULT '{}') RETURNS SETOF acct LANGUAGE sql AS $$ SELECT * FROM acct WHERE name = q->>'name' LIMIT l $$;
CREATE FUNCTION lim(n int) RETURNS SETOF acct LANGUAGE sql AS $$ SELECT * FROM acct LIMIT n $$;
CREATE FUNCTION json_in(j json) RETURNS TABLE (k text, v text) LANGUAGE sql AS $$ SELECT key,
    value FROM json_each_text(j) $$;
CREATE FUNCTION rx(p text) RETURNS boolean LANGUAGE sql AS $$ SELECT 'abc' ~ p $$;
CREATE FUNCTION tz(z text) RETURNS timestamp LANGUAGE sql AS $$ SELECT now() AT TIME ZONE z $$;
CREATE FUNCTION fmt(f text) RETURNS text LANGUAGE sql AS $$ SELECT format(f, 1, 2) || to_char(now(), f) $$;
CREATE FUNCTION setv(k text, v text) RETURNS text LANGUAGE sql AS $$ SELECT set_config(k, v, true) $$;
CREATE FUNCTION getv(k text) RETURNS text LANGUAGE sql AS $$ SELECT current_setting(k) $$;
CREATE FUNCTION enc(b text, f text) RETURNS text LANGUAGE sql AS $$ SELECT convert_from(decode(b, f), 'utf8') $$;
CREATE FUNCTION big(n int) RETURNS bigint LANGUAGE sql AS $$ SELECT count(*) FROM generate_series(1, n) $$;
CREATE FUNCTION fact(n int) RETURNS numeric LANGUAGE sql AS $$ SELECT factorial(n) $$;
CREATE FUNCTION xp(q text) RETURNS xml[] LANGUAGE sql AS $$ SELECT xpath(q, '<a/>') $$;
CREATE FUNCTION jp(q text) RETURNS SETOF jsonb LANGUAGE sql AS $$ SELECT jsonb_path_query('{"a": 1}', q::jsonpath) $$;
CREATE FUNCTION rol(q text) RETURNS boolean LANGUAGE sql AS $$ SELECT has_table_privilege(q, 'acct', 'SELECT') $$;
CREATE FUNCTION tabp(q text) RETURNS boolean LANGUAGE sql AS $$ SELECT has_table_privilege(q, 'SELECT') $$;
CREATE FUNCTION seqn(q text) RETURNS bigint LANGUAGE sql AS $$ SELECT nextval(q) $$;
CREATE FUNCTION curr() RETURNS bigint LANGUAGE sql AS $$ SELECT currval('slot_id_seq') $$;
CREATE FUNCTION inv(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN n; EXCEPTION WHEN others THEN RAISE; END $$;
CREATE FUNCTION loc(n int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN LOCK TABLE acct IN SHARE MODE NOWAIT;
    PERFORM pg_sleep(0); END $$;
CREATE FUNCTION tmp(n int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN CREATE TEMP TABLE IF NOT EXISTS scratch (x int) ON COMMIT DROP;
    INSERT INTO scratch VALUES (n); RETURN (SELECT count(*) FROM scratch); END $$;
CREATE FUNCTION curs(n int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE c CURSOR FOR SELECT id FROM slot; r record;
    k int := 0; BEGIN FOR r IN c LOOP UPDATE slot SET room = n WHERE CURRENT OF c; k := k + 1; END LOOP; RETURN k; END $$;
