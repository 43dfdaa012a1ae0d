CREATE OR REPLACE FUNCTION serve_next(c integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    place text := (SELECT pickup FROM hold WHERE copy = c ORDER BY id LIMIT 1);
BEGIN
    IF place IS NULL THEN
        UPDATE copy SET status = 'shelf', ready_until = NULL WHERE id = c;
    ELSIF place = (SELECT branch FROM copy WHERE id = c) THEN
        UPDATE copy SET status = 'reserved', ready_until = NULL WHERE id = c;
    ELSE
        UPDATE copy SET status = 'in_transit', branch = place, ready_until = NULL WHERE id = c;
    END IF;
END $$;
