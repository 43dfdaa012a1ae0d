-- lacks: reread
-- Triggers that EXECUTE what only reads: no table has to be read again.
CREATE TABLE place (id int PRIMARY KEY, town text NOT NULL);
CREATE TABLE visit (id int PRIMARY KEY, place int NOT NULL REFERENCES place, no int NOT NULL);
CREATE FUNCTION same_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    other int;
    visits int;
BEGIN
    EXECUTE format('SELECT ($1).%I', TG_ARGV[0]) INTO other USING NEW;
    EXECUTE format(
        'SELECT count(*)
        FROM %I
        WHERE %I = %L AND id <> $1',
        TG_TABLE_NAME, TG_ARGV[0], other
    ) INTO visits USING NEW.id;
    IF visits > 2 THEN
        RAISE EXCEPTION 'too many visits';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER same_place AFTER INSERT ON visit FOR EACH ROW EXECUTE FUNCTION same_place('place');
