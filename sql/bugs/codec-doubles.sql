-- Planted in codec.sql: an integer is converted to a double and back, as in JavaScript, whose numbers are doubles.
-- Above 2^53 a double can't hold every integer.
--
-- shortest: 1
--   documents_1 = store(value=9007199254740993)
-- Seen by the invariant `documents`: the number is one less.

CREATE OR REPLACE FUNCTION pack_number(n numeric) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$
    SELECT CASE
        WHEN n = trunc(n) AND abs(n) < 9223372036854774784
        THEN '\x03'::bytea || int8send(n::float8::bigint)
        ELSE '\x04'::bytea || pack_text(n::text)
    END
$$;
