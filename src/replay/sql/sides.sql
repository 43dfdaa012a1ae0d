-- Both sides make values of their own. What is shown has names in their place: those that the script's variables have,
-- and names by number for other uuids, and for values of the columns `made`. Times are told from the transaction's.
CREATE FUNCTION pg_temp.named(line pg_catalog.text, names pg_catalog.jsonb) RETURNS pg_catalog.text
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found text;
    at timestamptz;
BEGIN
    FOR found IN SELECT n.key FROM jsonb_each_text(names) AS n ORDER BY length(n.key) DESC, n.key COLLATE "C" LOOP
        line := replace(line, found, names ->> found);
    END LOOP;
    FOR found IN SELECT DISTINCT m[1] FROM regexp_matches(line,
            '(\m\d{4}-[01]\d-[0-3]\d[T ][0-2]\d:[0-5]\d:[0-5]\d\.\d+(?:[+-]\d\d(?::?\d\d)?|Z)?)', 'g') AS m LOOP
        BEGIN
            at := found;
            IF (extract(microseconds FROM at) - extract(microseconds FROM now()))::bigint % 1000000 = 0 THEN
                line := replace(line, found, 'now' || CASE WHEN at <> now() THEN ' + ' || (at - now()) ELSE '' END);
            ELSIF at BETWEEN now() - interval '10 min' AND clock_timestamp() + interval '1 min' THEN
                line := replace(line, found, 'about now');
            END IF;
        EXCEPTION WHEN data_exception THEN
            NULL;
        END;
    END LOOP;
    RETURN line;
END $$;

CREATE FUNCTION pg_temp.note(names pg_catalog.jsonb, name pg_catalog.text, value pg_catalog.text)
    RETURNS pg_catalog.jsonb LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
SELECT CASE WHEN length(value) >= 8 AND NOT names ? value THEN names || jsonb_build_object(value, name) ELSE names END
$$;

CREATE FUNCTION pg_temp.note_next(names pg_catalog.jsonb, name pg_catalog.text, value pg_catalog.text)
    RETURNS pg_catalog.jsonb LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
SELECT pg_temp.note(names, name || '_' || (SELECT 1 + count(*) FROM jsonb_each_text(names) AS n
                                           WHERE starts_with(n.value, name || '_')), value)
$$;

-- Without further columns of the new schema, which are no difference.
CREATE FUNCTION pg_temp.only_columns(line pg_catalog.jsonb, columns pg_catalog.text[]) RETURNS pg_catalog.jsonb
    LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    SELECT jsonb_object_agg(key, value) FROM jsonb_each(line) WHERE key = ANY (columns)
$$;

CREATE FUNCTION pg_temp.shown(lines pg_catalog.text[], ordered pg_catalog.bool, made pg_catalog.text[],
                              INOUT names pg_catalog.jsonb, OUT shown pg_catalog.text)
    LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    uuid CONSTANT text := '\m[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\M';
    line text;
    value text;
    name text;
BEGIN
    FOR line IN
        SELECT l.line FROM unnest(lines) WITH ORDINALITY AS l (line, place)
        ORDER BY CASE WHEN ordered THEN l.place END,
                 regexp_replace(pg_temp.named(CASE WHEN made <> '{}' THEN (l.line::jsonb - made)::text ELSE l.line END,
                                              names), uuid, '', 'g') COLLATE "C",
                 l.place
    LOOP
        FOREACH name IN ARRAY made LOOP
            names := pg_temp.note_next(names, name, line::jsonb ->> name);
        END LOOP;
        FOR value IN SELECT m[1] FROM regexp_matches(line, '(' || uuid || ')', 'g') AS m LOOP
            names := pg_temp.note_next(names, 'uuid', value);
        END LOOP;
        shown := concat(shown || E'\n', '    ', pg_temp.named(line, names));
    END LOOP;
    shown := coalesce(shown, '    no rows');
END $$;
