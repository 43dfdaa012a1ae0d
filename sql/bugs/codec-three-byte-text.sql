-- Planted in codec.sql: text is cut off at the first character that needs four bytes in UTF-8, as in a database that
-- stores at most three bytes for a character.
--
-- shortest: 1
--   documents_1 = store(value="\U00010000")
-- Seen by the invariant `documents`: the text is empty.

CREATE OR REPLACE FUNCTION pack_text(content text) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$ SELECT with_length(convert_to(regexp_replace(content, '[\U00010000-\U0010FFFF].*', ''), 'UTF8')) $$;
