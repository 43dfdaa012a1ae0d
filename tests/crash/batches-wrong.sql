-- The orders of all batches are marked at the end.
CREATE TABLE orders (id integer PRIMARY KEY, billed boolean NOT NULL DEFAULT false);
CREATE TABLE invoices (id serial PRIMARY KEY, about integer NOT NULL);
CREATE PROCEDURE bill() LANGUAGE plpgsql AS $$
DECLARE
    batch integer[];
    last integer := 0;
BEGIN
    LOOP
        batch := ARRAY(SELECT id FROM orders WHERE NOT billed AND id > last ORDER BY id LIMIT 2);
        EXIT WHEN batch = '{}';
        INSERT INTO invoices (about) SELECT unnest(batch);
        last := batch[cardinality(batch)];
        COMMIT;
    END LOOP;
    UPDATE orders SET billed = true WHERE NOT billed;
END $$;
