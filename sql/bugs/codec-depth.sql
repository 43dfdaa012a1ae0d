-- Planted in codec.sql: to protect the stack, pack replaces every value below 16 levels with null, without an
-- error.
--
-- shortest: 1
--   documents_1 = store(value=[[[[[[[[[[[[[[[[False]]]]]]]]]]]]]]]])
-- Seen by the invariant `documents`: there is a null in the innermost array.

DROP FUNCTION pack(jsonb);

CREATE FUNCTION pack(value jsonb, depth integer DEFAULT 1) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    content bytea := '';
    key text;
    item jsonb;
BEGIN
    IF depth > 16 THEN
        RETURN '\x00';
    END IF;
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
            content := content || pack(item, depth + 1);
        END LOOP;
        RETURN '\x06'::bytea || with_length(content);
    WHEN 'object' THEN
        FOR key, item IN SELECT * FROM jsonb_each(value) LOOP
            content := content || pack_text(key) || pack(item, depth + 1);
        END LOOP;
        RETURN '\x07'::bytea || with_length(content);
    END CASE;
END
$$;
