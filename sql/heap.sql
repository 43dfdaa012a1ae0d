-- A priority queue: a binary heap in an array column. Item i is no greater than items 2i and 2i + 1, so
-- the smallest item is always the first. The functions on arrays use no table, so heaps.sql shares them.

CREATE FUNCTION swapped(items integer[], i integer, j integer) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    item integer := items[i];
BEGIN
    items[i] := items[j];
    items[j] := item;
    RETURN items;
END
$$;

-- Moves the last item up to where it belongs.
CREATE FUNCTION sifted_up(items integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    i integer := cardinality(items);
BEGIN
    WHILE i > 1 AND items[i / 2] > items[i] LOOP
        items := swapped(items, i / 2, i);
        i := i / 2;
    END LOOP;
    RETURN items;
END
$$;

-- Moves item i down to where it belongs.
CREATE FUNCTION sifted_down(items integer[], i integer) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    least integer;
BEGIN
    LOOP
        least := 2 * i;
        EXIT WHEN least > cardinality(items);
        IF items[least + 1] < items[least] THEN -- past the end: NULL, so not true
            least := least + 1;
        END IF;
        EXIT WHEN items[i] <= items[least];
        items := swapped(items, i, least);
        i := least;
    END LOOP;
    RETURN items;
END
$$;

-- Removes the first item: the last item takes its place and moves down.
CREATE FUNCTION without_first(items integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE
AS $$
DECLARE
    rest integer[] := trim_array(items, 1);
BEGIN
    IF rest = '{}' THEN
        RETURN rest;
    END IF;
    rest[1] := items[cardinality(items)];
    RETURN sifted_down(rest, 1);
END
$$;

CREATE TABLE heap (
    one   boolean PRIMARY KEY DEFAULT true CHECK (one), -- there is one row
    items integer[] NOT NULL DEFAULT '{}'
        CONSTRAINT nothing_unknown CHECK (array_position(items, NULL) IS NULL) -- NULL has no order
);
INSERT INTO heap DEFAULT VALUES;

CREATE FUNCTION push(value integer) RETURNS void
LANGUAGE sql
AS $$
    UPDATE heap SET items = sifted_up(items || value)
$$;

CREATE FUNCTION pop() RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    old integer[];
BEGIN
    SELECT items INTO old FROM heap FOR UPDATE;
    IF old = '{}' THEN
        RAISE no_data_found USING MESSAGE = 'the heap is empty';
    END IF;
    UPDATE heap SET items = without_first(old);
    RETURN old[1];
END
$$;
