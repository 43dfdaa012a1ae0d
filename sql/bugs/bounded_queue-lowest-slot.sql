-- Planted in bounded_queue.sql: dequeue takes the item in the lowest slot. That is the oldest item only until
-- the ring wraps around to the first slot.
--
-- shortest: 6
--   enqueue(item="")
--   enqueue(item="")
--   enqueue(item="")
--   dequeue()
--   enqueue(item="0")
--   dequeue()
-- Seen in the sixth step: dequeue returns the newest item.

CREATE OR REPLACE FUNCTION dequeue() RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
    oldest integer;
    answer text;
BEGIN
    SELECT slot, item INTO oldest, answer FROM slots ORDER BY slot LIMIT 1;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = 'the queue is empty';
    END IF;
    DELETE FROM slots WHERE slot = oldest;
    UPDATE queue SET head = (head + 1) % 3, length = length - 1;
    RETURN answer;
END
$$;
