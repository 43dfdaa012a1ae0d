-- Priority queues that can be merged. Each is a binary heap in an array column, and has an id. The functions
-- on arrays come from heap.sql, which must be loaded first.

CREATE TABLE heaps (
    id    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    items integer[] NOT NULL DEFAULT '{}'
        CONSTRAINT nothing_unknown CHECK (array_position(items, NULL) IS NULL) -- NULL has no order
);

CREATE FUNCTION new_heap() RETURNS integer
LANGUAGE sql
AS $$
    INSERT INTO heaps DEFAULT VALUES RETURNING id
$$;

CREATE FUNCTION push(heap integer, value integer) RETURNS void
LANGUAGE sql
AS $$
    UPDATE heaps SET items = sifted_up(items || value) WHERE id = heap
$$;

CREATE FUNCTION pop(heap integer) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    old integer[];
BEGIN
    SELECT items INTO old FROM heaps WHERE id = heap FOR UPDATE;
    IF old = '{}' THEN
        RAISE no_data_found USING MESSAGE = format('heap %s is empty', heap);
    END IF;
    UPDATE heaps SET items = without_first(old) WHERE id = heap;
    RETURN old[1];
END
$$;

-- A heap of the items of both, by Floyd's method: from the last item that has children to the first, each
-- item moves down to where it belongs.
CREATE FUNCTION merged(x integer[], y integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    items integer[] := x || y;
BEGIN
    FOR i IN REVERSE cardinality(items) / 2 .. 1 LOOP
        items := sifted_down(items, i);
    END LOOP;
    RETURN items;
END
$$;

-- Creates a heap with the items of both heaps, which stay as they are.
CREATE FUNCTION merge(x integer, y integer) RETURNS integer
LANGUAGE sql
AS $$
    INSERT INTO heaps (items)
    SELECT merged(a.items, b.items) FROM heaps a, heaps b WHERE a.id = x AND b.id = y
    RETURNING id
$$;
