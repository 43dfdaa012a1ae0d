-- JSON documents in our own binary format: a tag, then its content, similar to MessagePack or SQLite's JSONB.
-- A change at a path rewrites the bytes there and the lengths of the containers around it, not the rest.
--
--   00 null   01 false   02 true   03 integer: 8 bytes   04 other number: length, decimal text
--   05 text: length, UTF-8   06 array: length, values   07 object: length, entries; an entry is length, key, value
--
-- A length is 4 bytes, big-endian, and counts bytes.

CREATE FUNCTION with_length(content bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$ SELECT int4send(octet_length(content)) || content $$;

-- The length stored at an offset. All offsets in this file count from 0.
CREATE FUNCTION length_at(body bytea, at integer) RETURNS integer
LANGUAGE sql IMMUTABLE
AS $$ SELECT ('x' || encode(substring(body FROM at + 1 FOR 4), 'hex'))::bit(32)::integer $$;

CREATE FUNCTION pack_text(content text) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$ SELECT with_length(convert_to(content, 'UTF8')) $$;

CREATE FUNCTION pack_number(n numeric) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$
    SELECT CASE
        WHEN n = trunc(n) AND n BETWEEN -9223372036854775808 AND 9223372036854775807
        THEN '\x03'::bytea || int8send(n::bigint)
        ELSE '\x04'::bytea || pack_text(n::text)
    END
$$;

CREATE FUNCTION pack(value jsonb) RETURNS bytea
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
        FOR key, item IN SELECT * FROM jsonb_each(value) LOOP
            content := content || pack_text(key) || pack(item);
        END LOOP;
        RETURN '\x07'::bytea || with_length(content);
    END CASE;
END
$$;

-- The number of bytes that the value at an offset takes.
CREATE FUNCTION size_at(body bytea, at integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
    RETURN CASE get_byte(body, at)
        WHEN 0 THEN 1 WHEN 1 THEN 1 WHEN 2 THEN 1
        WHEN 3 THEN 9
        ELSE 5 + length_at(body, at + 1)
    END;
END
$$;

-- The offset behind the value at `at`; NULL if there is no valid value, or if it extends beyond `bound`.
CREATE FUNCTION end_of(body bytea, at integer, bound integer) RETURNS integer
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    tag integer;
    behind integer;
BEGIN
    IF at >= bound THEN
        RETURN NULL;
    END IF;
    tag := get_byte(body, at);
    IF tag > 7 OR (tag > 3 AND at + 5 > bound) THEN
        RETURN NULL;
    END IF;
    behind := at + size_at(body, at);
    at := at + 5;
    IF behind > bound OR (tag > 3 AND behind < at) THEN
        RETURN NULL;
    END IF;
    WHILE tag IN (6, 7) AND at < behind LOOP
        IF tag = 7 AND at + 4 <= behind AND length_at(body, at) >= 0 THEN
            at := at + 4 + length_at(body, at);
        ELSIF tag = 7 THEN
            RETURN NULL;
        END IF;
        at := end_of(body, at, behind);
    END LOOP;
    RETURN CASE WHEN at IS NOT NULL THEN behind END;
END
$$;

CREATE TABLE documents (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    body bytea NOT NULL,
    CONSTRAINT body_is_one_value CHECK (end_of(body, 0, octet_length(body)) IS NOT DISTINCT FROM octet_length(body))
);

CREATE FUNCTION text_at(body bytea, at integer) RETURNS text
LANGUAGE sql IMMUTABLE
AS $$ SELECT convert_from(substring(body FROM at + 5 FOR length_at(body, at)), 'UTF8') $$;

-- The entries of the array or object at an offset: where each entry begins, its key or index, and where its value
-- begins.
CREATE FUNCTION entries(body bytea, at integer)
RETURNS TABLE (entry integer, key text, value integer)
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    behind integer := at + size_at(body, at);
    is_object boolean := get_byte(body, at) = 7;
    n integer := 0;
BEGIN
    entry := at + 5;
    WHILE entry < behind LOOP
        key := CASE WHEN is_object THEN text_at(body, entry) ELSE n::text END;
        value := entry + CASE WHEN is_object THEN 4 + length_at(body, entry) ELSE 0 END;
        RETURN NEXT;
        entry := value + size_at(body, value);
        n := n + 1;
    END LOOP;
END
$$;

CREATE FUNCTION unpack(body bytea, at integer DEFAULT 0) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
    CASE get_byte(body, at)
    WHEN 0 THEN
        RETURN 'null';
    WHEN 1, 2 THEN
        RETURN to_jsonb(get_byte(body, at) = 2);
    WHEN 3 THEN
        RETURN to_jsonb(('x' || encode(substring(body FROM at + 2 FOR 8), 'hex'))::bit(64)::bigint);
    WHEN 4 THEN
        RETURN to_jsonb(text_at(body, at + 1)::numeric);
    WHEN 5 THEN
        RETURN to_jsonb(text_at(body, at + 1));
    WHEN 6 THEN
        RETURN (SELECT coalesce(jsonb_agg(unpack(body, value) ORDER BY entry), '[]') FROM entries(body, at));
    WHEN 7 THEN
        RETURN (SELECT coalesce(jsonb_object_agg(key, unpack(body, value)), '{}') FROM entries(body, at));
    END CASE;
END
$$;

-- Follows a path: where the entry and its value begin, and the offsets of the containers around it, outermost first.
CREATE FUNCTION locate(body bytea, path text[], OUT entry integer, OUT value integer, OUT around integer[])
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    step text;
BEGIN
    entry := 0;
    value := 0;
    around := '{}';
    FOREACH step IN ARRAY path LOOP
        IF get_byte(body, value) NOT IN (6, 7) THEN
            RAISE no_data_found USING MESSAGE = format('nothing at %s', path);
        END IF;
        around := around || value;
        SELECT e.entry, e.value INTO entry, value FROM entries(body, value) AS e WHERE e.key = step;
        IF NOT FOUND THEN
            RAISE no_data_found USING MESSAGE = format('nothing at %s', path);
        END IF;
    END LOOP;
END
$$;

-- Replaces `size` bytes at an offset by `content`, and corrects the lengths of the containers around them.
CREATE FUNCTION splice(body bytea, around integer[], at integer, size integer, content bytea) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    container integer;
BEGIN
    FOREACH container IN ARRAY around LOOP
        body := overlay(body PLACING
            int4send(length_at(body, container + 1) + octet_length(content) - size) FROM container + 2);
    END LOOP;
    RETURN overlay(body PLACING content FROM at + 1 FOR size);
END
$$;

CREATE FUNCTION patch_set(body bytea, path text[], new jsonb) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$
    SELECT splice(body, l.around, l.value, size_at(body, l.value), pack(new)) FROM locate(body, path) AS l
$$;

CREATE FUNCTION patch_remove(body bytea, path text[]) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$
    SELECT splice(body, l.around, l.entry, l.value + size_at(body, l.value) - l.entry, '')
    FROM locate(body, path) AS l
$$;

-- Appends a value to an array, or to an object under a new key.
CREATE FUNCTION patch_append(body bytea, path text[], new_key text, new jsonb) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    place record := locate(body, path);
    content bytea := pack(new);
BEGIN
    CASE get_byte(body, place.value)
    WHEN 6 THEN
        NULL;
    WHEN 7 THEN
        IF EXISTS (SELECT FROM entries(body, place.value) WHERE key = new_key) THEN
            RAISE unique_violation USING MESSAGE = format('key %L is at %s already', new_key, path);
        END IF;
        content := pack_text(new_key) || content;
    ELSE
        RAISE wrong_object_type USING MESSAGE = format('neither array nor object at %s', path);
    END CASE;
    RETURN splice(body, place.around || place.value, place.value + size_at(body, place.value), 0, content);
END
$$;
