-- The only function is one that no rule can call: then the short form has a comment, and no rule.
CREATE TABLE jobs (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, mask bit(8) NOT NULL DEFAULT b'00000001', kind text NOT NULL);
CREATE FUNCTION has_kind(mask bit(8), kinds polygon) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT mask > b'00000000' $$;
