-- Subscribers are billed once a month, by a procedure that commits in batches: there are many, and locks are not to be
-- held for long. It notes how far it came with each batch, so that it goes on from there if an error stopped it.

CREATE TABLE subscribers (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fee     numeric(8, 2) NOT NULL,
    blocked boolean NOT NULL DEFAULT false       -- can't be billed: somebody has to look at it
);

CREATE TABLE bills (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    month      int NOT NULL,
    subscriber bigint NOT NULL REFERENCES subscribers ON DELETE CASCADE,
    amount     numeric(8, 2) NOT NULL
);

CREATE TABLE progress (
    month int NOT NULL,
    last  bigint NOT NULL                        -- the last subscriber who was billed
);
INSERT INTO progress VALUES (1, 0);

CREATE PROCEDURE bill_all(size int)
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
        UPDATE progress SET last = to_id;
        COMMIT;
        from_id := to_id;
    END LOOP;
    UPDATE progress SET month = current + 1, last = 0;
END
$$;
