-- Makes customer_history again with its columns in another order. Harmless: rows and keys stay, and the trigger, which did
-- not name the columns, does so now.

ALTER TABLE customer_history RENAME TO old_history;
ALTER TABLE old_history RENAME CONSTRAINT customer_history_pkey TO old_history_pkey;
ALTER TABLE old_history RENAME CONSTRAINT customer_history_customer_id_fkey TO old_history_customer_id_fkey;

CREATE TABLE customer_history (
    changed_by  text NOT NULL,
    version     integer NOT NULL,
    customer_id bigint NOT NULL REFERENCES customer_rows,
    deleted     boolean NOT NULL,
    email       text NOT NULL,
    name        text NOT NULL,
    phone       text,
    PRIMARY KEY (customer_id, version)
);
INSERT INTO customer_history (customer_id, version, changed_by, name, email, phone, deleted)
    SELECT customer_id, version, changed_by, name, email, phone, deleted FROM old_history;

CREATE OR REPLACE FUNCTION record_version() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN
        RETURN NULL;
    END IF;
    INSERT INTO customer_history (customer_id, version, changed_by, name, email, phone, deleted)
    SELECT NEW.id, count(*) + 1, nullif(current_setting('app.user', true), ''), NEW.name, NEW.email, NEW.phone, NEW.deleted
      FROM customer_history WHERE customer_id = NEW.id;
    RETURN NULL;
END
$$;

DROP TABLE old_history;
