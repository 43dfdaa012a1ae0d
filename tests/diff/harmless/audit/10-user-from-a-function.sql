-- Moves the look-up of the user into a function, and adds an index for it. Harmless: the user is the same, and without one
-- the version is still refused as NULL.

CREATE FUNCTION acting_user() RETURNS text
LANGUAGE plpgsql STABLE
AS $$
BEGIN
    RETURN nullif(current_setting('app.user', true), '');
END
$$;

CREATE OR REPLACE FUNCTION record_version() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    last integer;
BEGIN
    IF TG_OP = 'INSERT' OR NEW IS DISTINCT FROM OLD THEN
        SELECT count(*) INTO last FROM customer_history WHERE customer_id = NEW.id;
        INSERT INTO customer_history (customer_id, version, changed_by, name, email, phone, deleted)
            VALUES (NEW.id, last + 1, acting_user(), NEW.name, NEW.email, NEW.phone, NEW.deleted);
    END IF;
    RETURN NULL;
END
$$;

CREATE INDEX ON customer_history (changed_by);
