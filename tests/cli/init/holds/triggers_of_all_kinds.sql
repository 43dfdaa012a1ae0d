-- Triggers that set keys, constraint triggers, deferrable uniques, triggers that skip rows or delete softly.
CREATE TABLE invoice (id int, no text, total int NOT NULL DEFAULT 0, PRIMARY KEY (id),
    UNIQUE (no) DEFERRABLE INITIALLY DEFERRED);
CREATE SEQUENCE invoice_ids;
CREATE FUNCTION set_id() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.id IS NULL OR NEW.id < 0 THEN NEW.id := nextval('invoice_ids');
    END IF; NEW.no := coalesce(NEW.no, 'A' || NEW.id); RETURN NEW; END $$;
CREATE TRIGGER set_id BEFORE INSERT ON invoice FOR EACH ROW EXECUTE FUNCTION set_id();
CREATE TABLE line (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    invoice int NOT NULL REFERENCES invoice ON DELETE CASCADE DEFERRABLE, amount int NOT NULL, pos int NOT NULL,
    UNIQUE (invoice, pos) DEFERRABLE);
CREATE FUNCTION at_most_three() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF (SELECT count(*) FROM line WHERE invoice = NEW.invoice) > 3 THEN RAISE EXCEPTION 'too many lines' USING ERRCODE = 'check_violation',
    CONSTRAINT = 'at_most_three', TABLE = 'line'; END IF; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER at_most_three AFTER INSERT OR UPDATE ON line DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION at_most_three();
CREATE FUNCTION sum_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE invoice SET total = (SELECT coalesce(sum(amount),
    0) FROM line WHERE invoice = invoice.id); RETURN NULL; END $$;
CREATE TRIGGER sum_up AFTER INSERT OR UPDATE OR DELETE ON line FOR EACH STATEMENT EXECUTE FUNCTION sum_up();
CREATE FUNCTION log_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO audit (tbl, old, new) SELECT TG_TABLE_NAME,
    NULL, to_jsonb(n) FROM new_rows n; RETURN NULL; END $$;
CREATE TABLE audit (id bigserial PRIMARY KEY, tbl text, old jsonb, new jsonb, at timestamptz DEFAULT now());
CREATE TRIGGER log_it AFTER INSERT ON invoice REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_it();
CREATE TABLE slug (title text NOT NULL, slug text PRIMARY KEY GENERATED ALWAYS AS (lower(title)) STORED);
CREATE TABLE link (slug text REFERENCES slug ON DELETE CASCADE, n int);
CREATE FUNCTION no_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TABLE keep (id int PRIMARY KEY, up int REFERENCES keep ON DELETE CASCADE);
CREATE TRIGGER no_delete BEFORE DELETE ON keep FOR EACH ROW EXECUTE FUNCTION no_delete();
CREATE TABLE soft (id int PRIMARY KEY, gone boolean NOT NULL DEFAULT false, name text);
CREATE UNIQUE INDEX ON soft (name) WHERE NOT gone;
CREATE FUNCTION soft_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE soft SET gone = true WHERE id = OLD.id;
    RETURN NULL; END $$;
CREATE TRIGGER soft_delete BEFORE DELETE ON soft FOR EACH ROW EXECUTE FUNCTION soft_delete();
CREATE FUNCTION up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN SELECT * INTO NEW FROM soft WHERE id = NEW.id; RETURN OLD;
    END $$;
CREATE TRIGGER only_when BEFORE UPDATE OF name ON soft FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name AND NEW.id > 5) EXECUTE FUNCTION up();
