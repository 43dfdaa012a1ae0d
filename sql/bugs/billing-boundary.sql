-- Planted in billing.sql: the next batch begins `size` ids behind the last one. Where a subscriber cancelled, the ids
-- have a gap, and a batch reaches further than that: its last subscribers are billed again.
--
-- shortest: 4
--   subscribe(fee=0.00)
--   subscribe(fee=0.00)
--   cancel(subscriber=1)
--   bill_all(size=1)
-- Seen by the invariant `bills`: the second subscriber has two bills.

CREATE OR REPLACE PROCEDURE bill_all(size int)
LANGUAGE plpgsql
AS $$
DECLARE
    from_id bigint;
    to_id   bigint;
    current int;
BEGIN
    IF size < 1 THEN
        RAISE invalid_parameter_value USING MESSAGE = 'a batch has one subscriber at least';
    END IF;
    SELECT month, last INTO STRICT current, from_id FROM progress FOR UPDATE;
    LOOP
        SELECT max(id) INTO to_id FROM (SELECT id FROM subscribers WHERE id > from_id ORDER BY id LIMIT size) AS batch;
        EXIT WHEN to_id IS NULL;
        IF EXISTS (SELECT FROM subscribers WHERE id > from_id AND id <= to_id AND blocked) THEN
            RAISE EXCEPTION USING ERRCODE = 'BIL01', MESSAGE = 'a subscriber is blocked';
        END IF;
        INSERT INTO bills (month, subscriber, amount)
            SELECT current, id, fee FROM subscribers WHERE id > from_id AND id <= to_id ORDER BY id;
        from_id := from_id + size;
        UPDATE progress SET last = from_id;
        COMMIT;
    END LOOP;
    UPDATE progress SET month = current + 1, last = 0;
END
$$;
