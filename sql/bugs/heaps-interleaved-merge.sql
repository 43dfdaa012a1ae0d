-- Planted in heaps.sql: merging repeatedly takes the smaller of the two first items, as for sorted lists.
-- But heaps are not sorted lists.
--
-- shortest: 9
--   heaps_1 = new()
--   push(heap=heaps_1, value=1)
--   push(heap=heaps_1, value=1)
--   heaps_2 = merge(x=heaps_1, y=heaps_1)
--   push(heap=heaps_2, value=0)
--   push(heap=heaps_2, value=0)
--   heaps_3 = merge(x=heaps_1, y=heaps_2)
--   pop(heap=heaps_3)
--   pop(heap=heaps_3)
-- Seen in the ninth step: pop returns 1, although 0 is in the heap.

CREATE OR REPLACE FUNCTION merged(x integer[], y integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    items integer[] := '{}';
    i integer := 1;
    j integer := 1;
BEGIN
    WHILE i <= cardinality(x) AND j <= cardinality(y) LOOP
        IF x[i] <= y[j] THEN
            items := items || x[i];
            i := i + 1;
        ELSE
            items := items || y[j];
            j := j + 1;
        END IF;
    END LOOP;
    RETURN items || x[i:] || y[j:];
END
$$;
