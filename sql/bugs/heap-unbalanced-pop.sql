-- Planted in heap.sql: pop removes the first item and shifts the others by one, which may not leave a heap.
--
-- shortest: 5
--   push(value=1)
--   push(value=0)
--   push(value=0)
--   pop()
--   pop()
-- Seen in the fifth step: the heap was {0, 1, 0}, and the second pop returns 1.

CREATE OR REPLACE FUNCTION without_first(items integer[]) RETURNS integer[]
LANGUAGE sql IMMUTABLE
AS $$
    SELECT items[2:]
$$;
