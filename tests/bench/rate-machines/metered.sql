-- Metered subscriptions: usage is collected on invoices, which are paid in cash or from credit.
CREATE TYPE plan_kind AS ENUM ('basic', 'team');
CREATE TYPE invoice_state AS ENUM ('draft', 'open', 'paid', 'void');

CREATE TABLE customers (
    id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    credit integer NOT NULL DEFAULT 0 CHECK (credit >= 0)            -- cents
);
CREATE TABLE subscriptions (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id integer NOT NULL REFERENCES customers,
    plan        plan_kind NOT NULL,
    ended       boolean NOT NULL DEFAULT false
);
CREATE TABLE invoices (
    id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subscription_id integer NOT NULL REFERENCES subscriptions,
    total           integer NOT NULL,
    cash            integer NOT NULL DEFAULT 0,
    from_credit     integer NOT NULL DEFAULT 0,
    state           invoice_state NOT NULL DEFAULT 'draft',
    due             integer GENERATED ALWAYS AS (total - cash - from_credit) STORED CHECK (due >= 0)
);
CREATE TABLE usage (
    subscription_id integer NOT NULL REFERENCES subscriptions,
    units           integer NOT NULL CHECK (units > 0),
    invoice_id      integer REFERENCES invoices
);

CREATE FUNCTION draft_invoice(sub integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    price integer := (SELECT CASE plan WHEN 'basic' THEN 5 ELSE 3 END FROM subscriptions WHERE id = sub);
    used  integer := (SELECT sum(units) FROM usage WHERE subscription_id = sub AND invoice_id IS NULL);
    inv   integer;
BEGIN
    IF used IS NULL THEN RAISE no_data_found USING MESSAGE = 'nothing to bill'; END IF;
    INSERT INTO invoices (subscription_id, total) VALUES (sub, used * price) RETURNING id INTO inv;
    UPDATE usage SET invoice_id = inv WHERE subscription_id = sub AND invoice_id IS NULL;
    RETURN inv;
END $$;

CREATE FUNCTION pay(inv integer, amount integer) RETURNS invoice_state LANGUAGE sql AS $$
    UPDATE invoices SET cash = cash + amount,
        state = CASE WHEN due = amount THEN 'paid'::invoice_state ELSE state END
    WHERE id = inv AND state = 'open' RETURNING state
$$;

CREATE FUNCTION settle_from_credit(inv integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    who  integer := (SELECT customer_id FROM subscriptions s JOIN invoices i ON i.subscription_id = s.id WHERE i.id = inv);
    part integer;
BEGIN
    SELECT least(c.credit, i.due) INTO part FROM customers c, invoices i WHERE c.id = who AND i.id = inv AND i.state = 'open';
    IF part IS NULL THEN RETURN 0; END IF;
    UPDATE customers SET credit = credit - part WHERE id = who;
    UPDATE invoices SET from_credit = from_credit + part,
        state = CASE WHEN due = part THEN 'paid'::invoice_state ELSE state END WHERE id = inv;
    RETURN part;
END $$;

-- Whatever was paid becomes credit, and the usage can be billed again.
CREATE FUNCTION void(inv integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE invoices SET state = 'void' WHERE id = inv AND state <> 'void';
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE customers c SET credit = c.credit + i.cash
    FROM invoices i JOIN subscriptions s ON s.id = i.subscription_id
    WHERE i.id = inv AND c.id = s.customer_id;
    UPDATE usage SET invoice_id = NULL WHERE invoice_id = inv;
    RETURN true;
END $$;
