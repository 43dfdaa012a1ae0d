-- Planted in heaps.sql: merging concatenates the two arrays, the lesser one first. The result is not always
-- a heap.
--
-- shortest: 7
--   heaps_1 = new()
--   push(heap=heaps_1, value=0)
--   push(heap=heaps_1, value=1)
--   push(heap=heaps_1, value=1)
--   heaps_2 = merge(x=heaps_1, y=heaps_1)
--   pop(heap=heaps_2)
--   pop(heap=heaps_2)
-- Seen in the seventh step: from {0, 1, 1, 0, 1, 1}, the second pop returns 1.

CREATE OR REPLACE FUNCTION merged(x integer[], y integer[]) RETURNS integer[]
LANGUAGE sql IMMUTABLE
AS $$
    SELECT least(x, y) || greatest(x, y)
$$;
