-- Planted in codec.sql: a patch corrects the length of the innermost array or object around it, but not the lengths
-- of the outer ones.
--
-- shortest: 2
--   documents_1 = store(value=[[None]])
--   remove(document=documents_1, path=["0", "0"])
-- Seen by the invariant `documents`, whose query raises an error.

CREATE OR REPLACE FUNCTION splice(body bytea, around integer[], at integer, size integer, content bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    container integer := around[cardinality(around)];
BEGIN
    IF container IS NOT NULL THEN
        body := overlay(body PLACING
            int4send(length_at(body, container + 1) + octet_length(content) - size) FROM container + 2);
    END IF;
    RETURN overlay(body PLACING content FROM at + 1 FOR size);
END
$$;
