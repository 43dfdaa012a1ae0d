-- Triggers that change rows, write elsewhere, refuse and ignore; partitions; rules.
CREATE TABLE customer (
    id serial PRIMARY KEY,
    name text NOT NULL,
    version int NOT NULL DEFAULT 1,
    touched timestamptz NOT NULL DEFAULT now(),
    orders int NOT NULL DEFAULT 0
);
CREATE TABLE purchase (
    id serial PRIMARY KEY,
    customer int REFERENCES customer ON DELETE SET NULL,
    slug text UNIQUE,
    amount int NOT NULL,
    version int NOT NULL DEFAULT 1
);
CREATE TABLE log (id bigserial PRIMARY KEY, of text NOT NULL, what text, at timestamptz DEFAULT now());
CREATE TABLE event (at date NOT NULL, kind text NOT NULL CHECK (kind IN ('a', 'b')), body text, PRIMARY KEY (at, kind))
    PARTITION BY LIST (kind);
CREATE TABLE event_a PARTITION OF event FOR VALUES IN ('a');
CREATE TABLE event_b PARTITION OF event FOR VALUES IN ('b');

CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1; -- UPDATE log would be too much
    NEW.touched = now();
    RETURN NEW;
END $$;
CREATE TRIGGER touch BEFORE UPDATE ON customer FOR EACH ROW EXECUTE FUNCTION touch();

CREATE FUNCTION prepare() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.amount < 0 THEN
        RAISE EXCEPTION 'no' USING ERRCODE = 'check_violation';
    END IF;
    NEW.slug := coalesce(NEW.slug, 'p' || NEW.amount);
    NEW.version := CASE TG_OP WHEN 'UPDATE' THEN OLD.version + 1 ELSE 1 END;
    RETURN NEW;
END $$;
CREATE TRIGGER prepare BEFORE INSERT OR UPDATE ON purchase FOR EACH ROW EXECUTE FUNCTION prepare();

CREATE FUNCTION record(what text) RETURNS void LANGUAGE sql AS $$ INSERT INTO log (of, what) VALUES ('purchase', what) $$;
CREATE FUNCTION write_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM record(TG_OP);
    UPDATE customer SET orders = orders + 1 WHERE id = NEW.customer;
    RETURN NULL;
END $$;
CREATE TRIGGER write_log AFTER INSERT OR UPDATE OR DELETE ON purchase FOR EACH ROW EXECUTE FUNCTION write_log();

CREATE FUNCTION ignore() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.body LIKE '%0%' THEN RETURN NULL; END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ignore BEFORE INSERT OR UPDATE ON event FOR EACH ROW EXECUTE FUNCTION ignore();
