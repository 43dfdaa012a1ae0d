-- Planted in prices.sql: a price ends when the clock says so, and the next one begins at the time of the transaction,
-- which is earlier.
--
-- shortest: 2
--   set_price(product=1, price=0.00)
--   set_price(product=1, price=0.00)
-- Seen by the invariant `one_at_a_time`.

CREATE OR REPLACE FUNCTION keep_history() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM prices WHERE product = OLD.id AND since = now();
    UPDATE prices SET until = clock_timestamp() WHERE product = OLD.id AND until = 'infinity';
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO prices (product, price, since) VALUES (NEW.id, NEW.price, now());
    END IF;
    RETURN NULL;
END
$$;
