-- Planted in audit.sql: every update is recorded, even one that changes nothing, as a form may send.
--
-- shortest: 2
--   history_1 = add(who="ann", name="", email="a@example.com", phone=None)
--   save(who="ann", customer=history_1, name="", email="a@example.com", phone=None)
-- Seen by the invariant `history`: one version is expected, but there are two.

CREATE OR REPLACE FUNCTION record_version() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO customer_history
    SELECT NEW.id, count(*) + 1, nullif(current_setting('app.user', true), ''), NEW.name, NEW.email, NEW.phone, NEW.deleted
      FROM customer_history WHERE customer_id = NEW.id;
    RETURN NULL;
END
$$;
