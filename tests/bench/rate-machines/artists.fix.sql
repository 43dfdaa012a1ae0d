CREATE OR REPLACE FUNCTION merge_artists(p_a integer, p_b integer) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    kept artists;
    gone artists;
BEGIN
    SELECT * INTO kept FROM artists WHERE id IN (p_a, p_b) AND merged_into IS NULL
     ORDER BY entries DESC, id LIMIT 1;
    SELECT * INTO gone FROM artists WHERE id IN (p_a, p_b) AND merged_into IS NULL AND id <> kept.id;
    IF gone.id IS NULL THEN
        RAISE EXCEPTION 'artists % and % can not be merged', p_a, p_b;
    END IF;
    UPDATE artists SET merged_into = kept.id WHERE id = gone.id OR merged_into = gone.id;
    UPDATE artists SET entries = kept.entries + gone.entries WHERE id = kept.id;
    UPDATE releases SET artist_id = kept.id WHERE artist_id = gone.id;
    RETURN kept.id;
END $$;
