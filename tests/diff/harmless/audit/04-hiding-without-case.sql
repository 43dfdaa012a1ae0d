-- Rewrites hide_customer without CASE. Harmless: it returns the row if it hid one, and NULL otherwise.

CREATE OR REPLACE FUNCTION hide_customer() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    hidden integer;
BEGIN
    UPDATE customer_rows AS c SET deleted = true WHERE c.id = OLD.id AND c.deleted = false;
    GET DIAGNOSTICS hidden = ROW_COUNT;
    IF hidden = 0 THEN
        RETURN NULL;
    END IF;
    RETURN OLD;
END
$$;
