-- Planted in audit.sql: the column phone came later, and restoring was not told of it.
--
-- shortest: 3
--   history_1 = add(who="ann", name="", email="a@example.com", phone=None)
--   save(who="ann", customer=history_1, name="", email="a@example.com", phone="0")
--   restore(who="ann", customer=history_1, version=1)
-- Seen by the invariant `customers`: the phone number is still the later one.

CREATE OR REPLACE FUNCTION restore_customer(customer bigint, to_version integer) RETURNS void
LANGUAGE sql
AS $$
    UPDATE customer_rows AS c
       SET name = h.name, email = h.email, deleted = h.deleted
      FROM customer_history AS h
     WHERE c.id = customer AND h.customer_id = customer AND h.version = to_version
$$;
