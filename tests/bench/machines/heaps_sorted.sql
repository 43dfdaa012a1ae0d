-- merge concatenates the arrays, the lesser one first. The result is not always a heap.
-- Shortest: new, push 0, push 1, push 1, merge(h, h), pop, pop (7).
CREATE FUNCTION merge(x int, y int) RETURNS int LANGUAGE sql AS $$
    INSERT INTO heaps (items)
    SELECT least(a.items, b.items) || greatest(a.items, b.items)
      FROM heaps a, heaps b WHERE a.id = x AND b.id = y
    RETURNING id
$$;
