-- Gives addresses a domain, which takes a new view. Harmless: the domain has no constraint, and the view has the same
-- columns, condition and trigger.

CREATE DOMAIN email_address AS text;

DROP VIEW customers;
ALTER TABLE customer_rows ALTER COLUMN email TYPE email_address;
ALTER TABLE customer_history ALTER COLUMN email TYPE email_address;
CREATE VIEW customers AS
    SELECT id, name, email, phone FROM customer_rows WHERE NOT deleted;
CREATE TRIGGER hide_customer INSTEAD OF DELETE ON customers
    FOR EACH ROW EXECUTE FUNCTION hide_customer();
