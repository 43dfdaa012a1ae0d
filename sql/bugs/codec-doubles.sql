-- Planted in codec.sql: an integer takes the way through a double, as in a client that has no other numbers. Beyond
-- 2^53 the odd ones are lost.
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
