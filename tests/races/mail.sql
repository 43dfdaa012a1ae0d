CREATE TABLE boxes (owner text PRIMARY KEY, opened boolean NOT NULL DEFAULT true);
CREATE TABLE letters (id integer PRIMARY KEY, owner text NOT NULL REFERENCES boxes, fetched boolean NOT NULL DEFAULT false);
CREATE TABLE idle (owner text PRIMARY KEY REFERENCES boxes);
CREATE FUNCTION send(letter integer, whom text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE d integer;
BEGIN
    PERFORM FROM boxes WHERE owner = whom FOR NO KEY UPDATE;
    INSERT INTO letters VALUES (letter, whom);
    DELETE FROM idle WHERE owner = whom;
    GET DIAGNOSTICS d = ROW_COUNT;
    RETURN CASE WHEN d > 0 THEN 'rang' ELSE 'left' END;
END $$;
CREATE FUNCTION fetch_or_sleep(whom text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE one integer;
BEGIN
    PERFORM FROM boxes WHERE owner = whom FOR NO KEY UPDATE;
    IF NOT FOUND THEN RAISE foreign_key_violation; END IF;
    one := (SELECT min(id) FROM letters WHERE owner = whom AND NOT fetched);
    IF one IS NOT NULL THEN
        UPDATE letters SET fetched = true WHERE id = one;
        DELETE FROM idle WHERE owner = whom;
        RETURN one;
    END IF;
    INSERT INTO idle VALUES (whom) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
