-- merge repeatedly takes the smaller of the two first items, as for sorted lists. But heaps are not sorted lists.
-- Shortest: new, push 1, push 1, m = merge(h, h), push 0 to m twice, merge(m, h), pop, pop (9).
CREATE FUNCTION merge(x int, y int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    a int[] := (SELECT items FROM heaps WHERE id = x);
    b int[] := (SELECT items FROM heaps WHERE id = y);
    c int[] := '{}';
    i int := 1;
    j int := 1;
    made int;
BEGIN
    WHILE i <= cardinality(a) AND j <= cardinality(b) LOOP
        IF a[i] <= b[j] THEN
            c := c || a[i];
            i := i + 1;
        ELSE
            c := c || b[j];
            j := j + 1;
        END IF;
    END LOOP;
    INSERT INTO heaps (items) VALUES (c || a[i:] || b[j:]) RETURNING id INTO made;
    RETURN made;
END $$;
