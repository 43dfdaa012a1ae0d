-- Planted in billing.sql: how far it came is noted at the end, not with each batch. After an error the first batches are
-- billed again.
--
-- shortest: 4
--   subscribe(fee=0.00)
--   subscribe(fee=0.00)
--   block(subscriber=2, blocked=True)
--   bill_all(size=1)
-- Seen by the invariant `progress`; the next bill_all() would bill the first subscriber again.

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
        COMMIT;
        from_id := to_id;
    END LOOP;
    UPDATE progress SET month = current + 1, last = 0;
END
$$;
