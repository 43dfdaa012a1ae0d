-- A first-in, first-out queue of at most three items: a ring of three slots. The oldest item is in slot
-- `head`, the others follow; slot 0 comes after slot 2.

CREATE TABLE queue (
    one    boolean PRIMARY KEY DEFAULT true CHECK (one), -- there is one row
    head   integer NOT NULL DEFAULT 0 CHECK (head BETWEEN 0 AND 2),
    length integer NOT NULL DEFAULT 0,
    CONSTRAINT queue_holds_three CHECK (length BETWEEN 0 AND 3)
);
INSERT INTO queue DEFAULT VALUES;

CREATE TABLE slots (                 -- only those that hold an item
    slot integer PRIMARY KEY CHECK (slot BETWEEN 0 AND 2),
    item text NOT NULL
);

-- If the queue is full, the constraint queue_holds_three raises the error. The update locks the only row of
-- `queue` until the transaction ends, so two callers run one after the other.
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
