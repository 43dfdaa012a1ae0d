-- Shortest: push 1, push 0, push 0, pop, pop (5).
CREATE TABLE heap (items int[] NOT NULL);
INSERT INTO heap VALUES ('{}');

CREATE FUNCTION push(value int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    a  int[] := (SELECT items FROM heap) || value;
    i  int := cardinality(a);
BEGIN
    WHILE i > 1 AND a[i / 2] > a[i] LOOP
        a := a[:i / 2 - 1] || a[i] || a[i / 2 + 1:i - 1] || a[i / 2] || a[i + 1:];
        i := i / 2;
    END LOOP;
    UPDATE heap SET items = a;
END $$;

CREATE FUNCTION pop() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    a int[] := (SELECT items FROM heap);
BEGIN
    UPDATE heap SET items = a[2:]; -- the bug
    RETURN a[1];
END $$;
