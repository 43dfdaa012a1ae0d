-- Planted in codec.sql: pack skips an entry whose key is empty.
--
-- shortest: 1
--   documents_1 = store(value={"": None})
-- Seen by the invariant `documents`: the object is empty.

CREATE OR REPLACE FUNCTION pack(value jsonb) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    content bytea := '';
    key text;
    item jsonb;
BEGIN
    CASE jsonb_typeof(value)
    WHEN 'null' THEN
        RETURN '\x00';
    WHEN 'boolean' THEN
        RETURN CASE WHEN value::boolean THEN '\x02' ELSE '\x01' END;
    WHEN 'number' THEN
        RETURN pack_number(value::numeric);
    WHEN 'string' THEN
        RETURN '\x05'::bytea || pack_text(value #>> '{}');
    WHEN 'array' THEN
        FOR item IN SELECT * FROM jsonb_array_elements(value) LOOP
            content := content || pack(item);
        END LOOP;
        RETURN '\x06'::bytea || with_length(content);
    WHEN 'object' THEN
        FOR key, item IN SELECT * FROM jsonb_each(value) AS e WHERE e.key <> '' LOOP
            content := content || pack_text(key) || pack(item);
        END LOOP;
        RETURN '\x07'::bytea || with_length(content);
    END CASE;
END
$$;
