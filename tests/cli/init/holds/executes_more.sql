-- Triggers that EXECUTE what may write: a text that is put together, a function that the text calls.
CREATE TABLE place (id int PRIMARY KEY, town text NOT NULL);
CREATE TABLE seen (town text NOT NULL, times int NOT NULL);
CREATE TABLE visit (id int PRIMARY KEY, place int NOT NULL REFERENCES place, no int NOT NULL);
CREATE FUNCTION note(town text) RETURNS bigint LANGUAGE sql AS $$ INSERT INTO seen VALUES (town, 1); SELECT 1::bigint $$;
CREATE FUNCTION note_it() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE 'SELECT ' || TG_ARGV[0] || '($1)' USING NEW.town;
    RETURN NULL;
END $$;
CREATE TRIGGER note_it AFTER INSERT ON place FOR EACH ROW EXECUTE FUNCTION note_it('note');
CREATE FUNCTION note_no() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT note(%L)', NEW.no);
    EXECUTE format('SELECT %s(%L)', 'note', NEW.no);
    EXECUTE format('WITH x AS (DELETE FROM %I WHERE town = $1 RETURNING 1) SELECT count(*) FROM x', 'seen') USING '7';
    RETURN NULL;
END $$;
CREATE TRIGGER note_no AFTER INSERT ON visit FOR EACH ROW EXECUTE FUNCTION note_no();
-- Calls a function of a schema that another tool makes.
CREATE TABLE letter (id int PRIMARY KEY, body text);
CREATE FUNCTION send_it() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM post_office.send(NEW.body);
    RETURN NULL;
END $$;
CREATE TRIGGER send_it AFTER INSERT ON letter FOR EACH ROW EXECUTE FUNCTION send_it();
