-- Planted in audit.sql: restore_customer does not restore the column phone, which was added later.
--
-- shortest: 3
--   history_1 = add(who="ann", name="", email="a@example.com", phone=None)
--   save(who="ann", customer=history_1, name="", email="a@example.com", phone="0")
--   restore(who="ann", customer=history_1, version=1)
-- Seen by the invariant `customers`: the phone number is still the newer one.

CREATE OR REPLACE FUNCTION restore_customer(customer bigint, to_version integer) RETURNS void
LANGUAGE sql
AS $$
    UPDATE customer_rows AS c
       SET name = h.name, email = h.email, deleted = h.deleted
      FROM customer_history AS h
     WHERE c.id = customer AND h.customer_id = customer AND h.version = to_version
$$;
