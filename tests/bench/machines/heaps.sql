-- Heaps in array columns, each with an id; pop is correct; heaps_sorted.sql and heaps_interleaved.sql add merge.
CREATE TABLE heaps (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, items int[] NOT NULL DEFAULT '{}');

CREATE FUNCTION new_heap() RETURNS int LANGUAGE sql AS $$
    INSERT INTO heaps DEFAULT VALUES RETURNING id
$$;

CREATE FUNCTION swapped(a int[], i int, j int) RETURNS int[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    t int := a[i];
BEGIN
    a[i] := a[j];
    a[j] := t;
    RETURN a;
END $$;

CREATE FUNCTION push(heap int, value int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    a int[] := (SELECT items FROM heaps WHERE id = heap) || value;
    i int := cardinality(a);
BEGIN
    WHILE i > 1 AND a[i / 2] > a[i] LOOP
        a := swapped(a, i / 2, i);
        i := i / 2;
    END LOOP;
    UPDATE heaps SET items = a WHERE id = heap;
END $$;

CREATE FUNCTION pop(heap int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    a    int[] := (SELECT items FROM heaps WHERE id = heap);
    top  int := a[1];
    i    int := 1;
    n    int := cardinality(a) - 1;
    next int;
BEGIN
    a[1] := a[n + 1];
    a := a[:n];
    LOOP
        next := 2 * i;
        EXIT WHEN next > n;
        IF next < n AND a[next + 1] < a[next] THEN
            next := next + 1;
        END IF;
        EXIT WHEN a[i] <= a[next];
        a := swapped(a, i, next);
        i := next;
    END LOOP;
    UPDATE heaps SET items = a WHERE id = heap;
    RETURN top;
END $$;
