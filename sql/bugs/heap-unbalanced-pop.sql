-- Planted in heap.sql: pop takes the first item and lets the others move up by one, which leaves no heap.
--
-- shortest: 5
--   push(value=1)
--   push(value=0)
--   push(value=0)
--   pop()
--   pop()
-- Seen in the fifth step: after 1, 0, 0 went in as {0, 1, 0}, the second pop gives 1.

CREATE OR REPLACE FUNCTION without_first(items integer[]) RETURNS integer[]
LANGUAGE sql IMMUTABLE
AS $$
    SELECT items[2:]
$$;
