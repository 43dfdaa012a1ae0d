CREATE TABLE links (id integer PRIMARY KEY, organisation integer NOT NULL, kind text NOT NULL);
CREATE TABLE activity (organisation integer PRIMARY KEY);

CREATE FUNCTION note_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO activity VALUES (NEW.organisation) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE TRIGGER note_activity AFTER INSERT OR UPDATE ON links FOR EACH ROW EXECUTE FUNCTION note_activity();
