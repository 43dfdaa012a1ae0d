-- Planted in billing.sql: the loop ends at a batch that is not full, before it is billed.
--
-- shortest: 2
--   subscribe(fee=0.00)
--   bill_all(size=2)
-- Seen by the invariant `bills` after the second step.

CREATE OR REPLACE PROCEDURE bill_all(size int)
LANGUAGE plpgsql
AS $$
DECLARE
    from_id bigint;
    to_id   bigint;
    current int;
    found   int;
BEGIN
    IF size < 1 THEN
        RAISE invalid_parameter_value USING MESSAGE = 'a batch has one subscriber at least';
    END IF;
    SELECT month, last INTO STRICT current, from_id FROM progress FOR UPDATE;
    LOOP
        SELECT max(id), count(*) INTO to_id, found
          FROM (SELECT id FROM subscribers WHERE id > from_id ORDER BY id LIMIT size) AS batch;
        EXIT WHEN found < size;
        IF EXISTS (SELECT FROM subscribers WHERE id > from_id AND id <= to_id AND blocked) THEN
            RAISE EXCEPTION USING ERRCODE = 'BIL01', MESSAGE = 'a subscriber is blocked';
        END IF;
        INSERT INTO bills (month, subscriber, amount)
            SELECT current, id, fee FROM subscribers WHERE id > from_id AND id <= to_id ORDER BY id;
        UPDATE progress SET last = to_id;
        COMMIT;
        from_id := to_id;
    END LOOP;
    UPDATE progress SET month = current + 1, last = 0;
END
$$;
