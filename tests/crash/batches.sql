-- Each transaction writes the invoices of two orders, and marks those orders.
CREATE TABLE orders (id integer PRIMARY KEY, billed boolean NOT NULL DEFAULT false);
CREATE TABLE invoices (id serial PRIMARY KEY, about integer NOT NULL);
CREATE PROCEDURE bill() LANGUAGE plpgsql AS $$
DECLARE
    batch integer[];
BEGIN
    LOOP
        batch := ARRAY(SELECT id FROM orders WHERE NOT billed ORDER BY id LIMIT 2);
        EXIT WHEN batch = '{}';
        INSERT INTO invoices (about) SELECT unnest(batch);
        UPDATE orders SET billed = true WHERE id = ANY (batch);
        COMMIT;
    END LOOP;
END $$;
