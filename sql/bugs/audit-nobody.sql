-- Planted in audit.sql: the user's name comes from the setting, and only NOT NULL checks that there is one.
-- If an earlier transaction of the session set it only for itself, the setting is now an empty string, which is
-- not NULL.
--
-- shortest: 2
--   history_1 = add(who="ann", name="", email="a@example.com", phone=None)
--   save_unsigned(customer=history_1)
-- Seen in the second step: not_null_violation is expected but not raised.

CREATE OR REPLACE FUNCTION record_version() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN
        RETURN NULL;
    END IF;
    INSERT INTO customer_history
    SELECT NEW.id, count(*) + 1, current_setting('app.user', true), NEW.name, NEW.email, NEW.phone, NEW.deleted
      FROM customer_history WHERE customer_id = NEW.id;
    RETURN NULL;
END
$$;
