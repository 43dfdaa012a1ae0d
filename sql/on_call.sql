-- Who is on call in each shift: always at least one doctor. If two doctors go home at the same time, each because the other
-- is there, nobody is left. Each changes a row of its own, and relies on a row that it does not change.

CREATE TABLE shifts (
    id integer PRIMARY KEY
);

CREATE TABLE on_call (
    shift  integer NOT NULL REFERENCES shifts,
    doctor text NOT NULL,
    PRIMARY KEY (shift, doctor)
);

-- Returns whether the doctor was not on call before.
CREATE FUNCTION sign_on(for_shift integer, who text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO on_call VALUES (for_shift, who) ON CONFLICT DO NOTHING;
    RETURN FOUND;
END
$$;

-- Returns whether the doctor was on call. The lock on the shift makes doctors leave one after the other. It is enough at
-- READ COMMITTED only, where the statement that looks for another doctor sees what was committed before the lock was free.
CREATE FUNCTION sign_off(for_shift integer, who text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM shifts WHERE id = for_shift FOR UPDATE;
    IF NOT EXISTS (SELECT FROM on_call WHERE shift = for_shift AND doctor <> who) THEN
        RAISE 'nobody else is on call in shift %', for_shift USING ERRCODE = 'P0ONE';
    END IF;
    DELETE FROM on_call WHERE shift = for_shift AND doctor = who;
    RETURN FOUND;
END
$$;
