-- Rewrites restore_customer with subselects instead of a join. Harmless: a customer has each version once.

CREATE OR REPLACE FUNCTION restore_customer(customer bigint, to_version integer) RETURNS void
LANGUAGE sql
AS $$
    UPDATE customer_rows
       SET (name, email, phone, deleted) = (
               SELECT h.name, h.email, h.phone, h.deleted FROM customer_history AS h
                WHERE h.customer_id = customer AND h.version = to_version)
     WHERE id = customer
       AND EXISTS (SELECT FROM customer_history AS h WHERE h.customer_id = customer AND h.version = to_version)
$$;
