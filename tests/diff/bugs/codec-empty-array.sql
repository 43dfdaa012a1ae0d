-- unpack lost a COALESCE: an empty array becomes NULL, and empty objects do not.
-- shortest: 1 request
--   SELECT unpack(pack('[]'))

CREATE OR REPLACE FUNCTION unpack(body bytea, at integer DEFAULT 0) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    tag integer := get_byte(body, at);
BEGIN
    IF tag = 0 THEN
        RETURN 'null';
    ELSIF tag IN (1, 2) THEN
        RETURN to_jsonb(tag = 2);
    ELSIF tag = 3 THEN
        RETURN to_jsonb(('x' || encode(substring(body FROM at + 2 FOR 8), 'hex'))::bit(64)::bigint);
    ELSIF tag = 4 THEN
        RETURN to_jsonb(text_at(body, at + 1)::numeric);
    ELSIF tag = 5 THEN
        RETURN to_jsonb(text_at(body, at + 1));
    ELSIF tag = 6 THEN
        RETURN (SELECT jsonb_agg(unpack(body, value) ORDER BY entry) FROM entries(body, at));
    ELSIF tag = 7 THEN
        RETURN (SELECT coalesce(jsonb_object_agg(key, unpack(body, value)), '{}') FROM entries(body, at));
    END IF;
    RAISE case_not_found;
END
$$;
