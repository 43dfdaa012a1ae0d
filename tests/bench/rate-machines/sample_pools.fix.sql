CREATE OR REPLACE FUNCTION report(p_unit bigint, p_positive boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    u units;
BEGIN
    SELECT * INTO u FROM units WHERE id = p_unit FOR UPDATE;
    IF u.status <> 'waiting' THEN
        RAISE EXCEPTION 'unit % does not wait for a result', p_unit;
    END IF;
    IF NOT p_positive THEN
        WITH RECURSIVE inside AS (
            SELECT p_unit AS id
            UNION ALL
            SELECT units.id FROM units JOIN inside ON units.in_pool = inside.id)
        UPDATE units SET status = 'negative' WHERE id IN (SELECT id FROM inside);
    ELSIF u.size = 1 THEN
        UPDATE units SET status = 'positive' WHERE id = p_unit;
    ELSE
        PERFORM split(p_unit);
    END IF;
END $$;
