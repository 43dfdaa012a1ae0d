-- Planted in prices.sql: what a transaction itself wrote before is changed in place, but not taken back if it withdraws
-- the product: the price would be valid from a moment until the same moment.
--
-- shortest: 1
--   offer_and_withdraw(product=1, price=0.00)
-- Seen by the invariants `history` and `some_time`.

CREATE OR REPLACE FUNCTION keep_history() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND EXISTS (SELECT FROM prices WHERE product = NEW.id AND since = now()) THEN
        UPDATE prices SET price = NEW.price WHERE product = NEW.id AND since = now();
        RETURN NULL;
    END IF;
    UPDATE prices SET until = now() WHERE product = OLD.id AND until = 'infinity';
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO prices (product, price, since) VALUES (NEW.id, NEW.price, now());
    END IF;
    RETURN NULL;
END
$$;
