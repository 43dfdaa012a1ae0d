-- Triggers that set what a constraint is about, or do what makes it hold.
CREATE EXTENSION IF NOT EXISTS moddatetime;
CREATE TABLE person (id int PRIMARY KEY, name text);
CREATE TABLE doc (
    id int PRIMARY KEY, created_by int REFERENCES person, owner int REFERENCES person ON DELETE CASCADE,
    reviewer int REFERENCES person ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE FUNCTION set_by() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.created_by := (SELECT max(id) FROM person);
        NEW.owner := (SELECT min(id) FROM person);
        NEW.reviewer := NEW.owner;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER b BEFORE INSERT OR UPDATE ON doc FOR EACH ROW EXECUTE FUNCTION set_by();
-- Built in, and of an extension: they set one column.
CREATE TABLE article (
    id int PRIMARY KEY, author int NOT NULL REFERENCES person, editor int REFERENCES person ON DELETE SET NULL,
    body text, words tsvector, changed_at timestamptz
);
CREATE TRIGGER words BEFORE INSERT OR UPDATE ON article
    FOR EACH ROW EXECUTE FUNCTION tsvector_update_trigger('words', 'pg_catalog.english', 'body');
CREATE TRIGGER changed BEFORE UPDATE ON article FOR EACH ROW EXECUTE FUNCTION moddatetime(changed_at);
-- Deletes what refers to a row, before it is deleted.
CREATE TABLE item (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL);
CREATE TABLE tag (item int NOT NULL REFERENCES item, word text NOT NULL, PRIMARY KEY (item, word));
CREATE FUNCTION drop_tags() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM tag WHERE item = OLD.id; RETURN OLD; END $$;
CREATE TRIGGER drop_tags BEFORE DELETE ON item FOR EACH ROW EXECUTE FUNCTION drop_tags();
-- Inserts what is referred to, and removes what would be there twice.
CREATE TABLE word (word text PRIMARY KEY);
CREATE TABLE use_of_word (id int PRIMARY KEY, word text NOT NULL REFERENCES word, slot int UNIQUE);
CREATE FUNCTION add_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO word VALUES (NEW.word) ON CONFLICT DO NOTHING;
    DELETE FROM use_of_word WHERE slot = NEW.slot AND id <> NEW.id;
    RETURN NEW;
END $$;
CREATE TRIGGER add_word BEFORE INSERT OR UPDATE ON use_of_word FOR EACH ROW EXECUTE FUNCTION add_word();
-- Sets a column that its argument names, in what it returns.
CREATE TABLE paper (id int PRIMARY KEY, author int NOT NULL REFERENCES person, number int NOT NULL, title text NOT NULL);
CREATE FUNCTION number_it() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], (SELECT count(*) FROM paper)));
END $$;
CREATE TRIGGER number_it BEFORE INSERT ON paper FOR EACH ROW EXECUTE FUNCTION number_it('number');
-- Returns another row.
CREATE TABLE label (id int PRIMARY KEY, words text NOT NULL, size int NOT NULL);
CREATE FUNCTION measure() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    other label;
BEGIN
    SELECT NEW.id AS id, coalesce(NEW.words, '') AS words, 3 AS size INTO other;
    RETURN other;
END $$;
CREATE TRIGGER measure BEFORE INSERT OR UPDATE ON label FOR EACH ROW EXECUTE FUNCTION measure();
