-- Planted in bounded_queue.sql: dequeue takes the item of the lowest slot that is taken. That is the
-- oldest until an item has been put behind the last slot, into the first.
--
-- shortest: 6
--   enqueue(item="")
--   enqueue(item="")
--   enqueue(item="")
--   dequeue()
--   enqueue(item="0")
--   dequeue()
-- Seen in the sixth step: the newest item comes out.

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
