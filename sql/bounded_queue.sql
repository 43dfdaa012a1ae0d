-- A queue of at most three items, first in, first out: a ring of three slots. The oldest item is in slot
-- `head`, the others in the slots behind it; behind the last slot comes the first.

CREATE TABLE queue (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one), -- there is one row
    head   integer NOT NULL DEFAULT 0 CHECK (head BETWEEN 0 AND 2),
    length integer NOT NULL DEFAULT 0,
    CONSTRAINT queue_holds_three CHECK (length BETWEEN 0 AND 3)
);
INSERT INTO queue DEFAULT VALUES;

CREATE TABLE slots (                 -- those that are taken
    slot integer PRIMARY KEY CHECK (slot BETWEEN 0 AND 2),
    item text NOT NULL
);

-- A queue that is full refuses by its constraint. Whoever updates the one row of `queue` holds it until the
-- end of the transaction, so that two callers come one after the other.
CREATE FUNCTION enqueue(new_item text) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    tail integer;
BEGIN
    UPDATE queue SET length = length + 1 RETURNING (head + length - 1) % 3 INTO tail;
    INSERT INTO slots (slot, item) VALUES (tail, new_item);
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
    DELETE FROM slots WHERE slot = oldest RETURNING item INTO answer;
    UPDATE queue SET head = (head + 1) % 3, length = length - 1;
    RETURN answer;
END
$$;

CREATE FUNCTION queue_length() RETURNS integer
LANGUAGE sql STABLE
AS $$
    SELECT length FROM queue
$$;
