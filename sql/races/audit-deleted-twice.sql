-- Planted in audit.sql: hide_customer trusts the row that the view showed. Two sessions delete the same customer. The second
-- waits for the first, hides the customer again, and is told that it deleted one row.
--
-- shortest: 3 steps, 1 switch, 0 gates
--   1   history_1 = add(who="ann", name="", email="a@example.com", phone=None)
--   A1  delete(who="ann", customer=history_1)
--   B1  delete(who="ann", customer=history_1)

CREATE OR REPLACE FUNCTION hide_customer() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE customer_rows SET deleted = true WHERE id = OLD.id;
    RETURN OLD;
END
$$;
