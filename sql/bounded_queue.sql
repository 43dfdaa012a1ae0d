-- A queue of at most three items, first in, first out: a ring of three slots. The oldest item is in slot
-- `head`, the others in the slots behind it; behind the last slot comes the first.

CREATE TABLE queue (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one), -- there is one row
    head   integer NOT NULL DEFAULT 0 CHECK (head BETWEEN 0 AND 2),
    length integer NOT NULL DEFAULT 0,
    CONSTRAINT queue_holds_three CHECK (length BETWEEN 0 AND 3)
);
INSERT INTO queue DEFAULT VALUES;

CREATE TABLE slots (
    slot integer PRIMARY KEY CHECK (slot BETWEEN 0 AND 2),
    item text
);
INSERT INTO slots SELECT generate_series(0, 2);

-- A queue that is full refuses by its constraint.
CREATE FUNCTION enqueue(new_item text) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    tail integer;
BEGIN
    UPDATE queue SET length = length + 1 RETURNING (head + length - 1) % 3 INTO tail;
    UPDATE slots SET item = new_item WHERE slot = tail;
END
$$;

CREATE FUNCTION dequeue() RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
    oldest integer;
    answer text;
BEGIN
    SELECT head INTO oldest FROM queue WHERE length > 0 FOR UPDATE;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = 'the queue is empty';
    END IF;
    SELECT item INTO answer FROM slots WHERE slot = oldest;
    UPDATE slots SET item = NULL WHERE slot = oldest;
    UPDATE queue SET head = (head + 1) % 3, length = length - 1;
    RETURN answer;
END
$$;

CREATE FUNCTION queue_length() RETURNS integer
LANGUAGE sql STABLE
AS $$
    SELECT length FROM queue
$$;
