-- Splits the trigger in two, and moves the test for a change into its condition. Harmless: the same versions are recorded.

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

DROP TRIGGER record_version ON customer_rows;
CREATE TRIGGER record_first_version AFTER INSERT ON customer_rows
    FOR EACH ROW EXECUTE FUNCTION record_version();
CREATE TRIGGER record_version AFTER UPDATE ON customer_rows
    FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_version();
