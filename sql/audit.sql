-- Customers and their history. The application uses the view `customers`; a DELETE there only hides the
-- row. A trigger records every version of a row, and who made it (from the setting app.user). A customer
-- can be restored to any version.

CREATE TABLE customer_rows (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name    text NOT NULL,
    email   text NOT NULL,
    phone   text,
    deleted boolean NOT NULL DEFAULT false
);

-- A new customer can have the address of a deleted one.
CREATE UNIQUE INDEX email_is_unique ON customer_rows (email) WHERE NOT deleted;

CREATE VIEW customers AS
    SELECT id, name, email, phone FROM customer_rows WHERE NOT deleted;

CREATE TABLE customer_history (
    customer_id bigint NOT NULL REFERENCES customer_rows,
    version     integer NOT NULL,
    changed_by  text NOT NULL,
    name        text NOT NULL,
    email       text NOT NULL,
    phone       text,
    deleted     boolean NOT NULL,
    PRIMARY KEY (customer_id, version)
);

-- The view's row may be old: another session may have deleted the customer just now. Then no row is deleted.
CREATE FUNCTION hide_customer() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE customer_rows SET deleted = true WHERE id = OLD.id AND NOT deleted;
    RETURN CASE WHEN FOUND THEN OLD END;
END
$$;

CREATE TRIGGER hide_customer INSTEAD OF DELETE ON customers
    FOR EACH ROW EXECUTE FUNCTION hide_customer();

-- An update that changes nothing is not a version. Every version needs a user's name. After a transaction that
-- set app.user only for itself, the setting is an empty string, not NULL: hence nullif.
CREATE FUNCTION record_version() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN
        RETURN NULL;
    END IF;
    INSERT INTO customer_history
    SELECT NEW.id, count(*) + 1, nullif(current_setting('app.user', true), ''), NEW.name, NEW.email, NEW.phone, NEW.deleted
      FROM customer_history WHERE customer_id = NEW.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER record_version AFTER INSERT OR UPDATE ON customer_rows
    FOR EACH ROW EXECUTE FUNCTION record_version();

-- Restores all columns of that version. This can delete the customer, or undo a deletion.
CREATE FUNCTION restore_customer(customer bigint, to_version integer) RETURNS void
LANGUAGE sql
AS $$
    UPDATE customer_rows AS c
       SET name = h.name, email = h.email, phone = h.phone, deleted = h.deleted
      FROM customer_history AS h
     WHERE c.id = customer AND h.customer_id = customer AND h.version = to_version
$$;
