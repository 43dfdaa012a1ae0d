-- Planted in migration.sql: the trigger updates the new column only in new rows. A program that changes the old
-- column of an existing row violates the constraint prices_agree.
--
-- shortest: 3
--   prices_1 = add(price=0.00)
--   migrate()
--   set_price(product=prices_1, price=0.01)
-- Seen in the third step: no error is expected, but check_violation (23514) is raised.

CREATE OR REPLACE FUNCTION keep_prices_in_step() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.price_cents := coalesce(NEW.price_cents, NEW.price * 100);
        NEW.price := coalesce(NEW.price, NEW.price_cents / 100.0);
    ELSIF NEW.price_cents <> OLD.price_cents THEN
        NEW.price := NEW.price_cents / 100.0;
    END IF;
    RETURN NEW;
END
$$;
