-- Planted in codec.sql: text is cut off at the first character beyond the basic plane, as a database does whose
-- UTF-8 has three bytes at the most.
--
-- shortest: 1
--   documents_1 = store(value="\U00010000")
-- Seen by the invariant `documents`: the text is empty.

CREATE OR REPLACE FUNCTION pack_text(content text) RETURNS bytea
LANGUAGE sql IMMUTABLE
AS $$ SELECT with_length(convert_to(regexp_replace(content, '[\U00010000-\U0010FFFF].*', ''), 'UTF8')) $$;
