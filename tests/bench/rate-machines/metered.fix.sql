CREATE OR REPLACE FUNCTION void(inv integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE invoices SET state = 'void' WHERE id = inv AND state <> 'void';
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE customers c SET credit = c.credit + i.cash + i.from_credit
    FROM invoices i JOIN subscriptions s ON s.id = i.subscription_id
    WHERE i.id = inv AND c.id = s.customer_id;
    UPDATE usage SET invoice_id = NULL WHERE invoice_id = inv;
    RETURN true;
END $$;
