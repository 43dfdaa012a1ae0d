-- restore_customer joins on the version alone, so a customer may get the data of another one.
-- shortest: 3 requests
--   as postgres (app.user = ann): INSERT INTO customers (name, email) VALUES ('a', 'a@b')
--   as postgres (app.user = ann): c = INSERT INTO customers (name, email) VALUES ('b', 'b@b') RETURNING id
--   as postgres (app.user = ann): SELECT restore_customer(:c, 1)

CREATE OR REPLACE FUNCTION restore_customer(customer bigint, to_version integer) RETURNS void
LANGUAGE sql
AS $$
    UPDATE customer_rows AS c
       SET name = h.name, phone = h.phone, email = h.email, deleted = h.deleted
      FROM customer_history AS h
     WHERE c.id = customer AND h.version = to_version
$$;
