CREATE TABLE artists (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL,
    entries     integer NOT NULL DEFAULT 1,       -- how many entries have been folded into this one, itself included
    merged_into integer REFERENCES artists CHECK (merged_into <> id)
);
CREATE TABLE releases (
    id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    artist_id integer NOT NULL REFERENCES artists,
    title     text NOT NULL
);

-- Old links and ids of other sites keep working: a merged entry redirects to the one that was kept.
CREATE FUNCTION resolve_artist(p_artist integer) RETURNS integer
LANGUAGE sql STABLE AS $$
    SELECT COALESCE(merged_into, id) FROM artists WHERE id = p_artist
$$;

-- The larger entry is kept; of two equal ones, the older.
CREATE FUNCTION merge_artists(p_a integer, p_b integer) RETURNS integer
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
    UPDATE artists SET merged_into = kept.id WHERE id = gone.id;
    UPDATE artists SET entries = kept.entries + gone.entries WHERE id = kept.id;
    UPDATE releases SET artist_id = kept.id WHERE artist_id = gone.id;
    RETURN kept.id;
END $$;

CREATE FUNCTION add_release(p_artist integer, p_title text) RETURNS integer
LANGUAGE sql AS $$
    INSERT INTO releases (artist_id, title) VALUES (resolve_artist(p_artist), p_title) RETURNING id
$$;
