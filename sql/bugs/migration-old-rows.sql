-- Planted in migration.sql: only the trigger fills the new column, when a row is written. Rows from before the
-- migration keep NULL there, and the CHECK accepts NULL.
--
-- shortest: 2
--   prices_1 = add(price=0.00)
--   migrate()
-- Seen by the invariant `cents`: NULL instead of 0.

CREATE OR REPLACE FUNCTION keep_prices_in_step() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.price_cents := coalesce(NEW.price_cents, NEW.price * 100);
        NEW.price := coalesce(NEW.price, NEW.price_cents / 100.0);
    ELSIF NEW.price_cents IS NOT DISTINCT FROM OLD.price_cents THEN
        NEW.price_cents := NEW.price * 100;
    ELSE
        NEW.price := NEW.price_cents / 100.0;
    END IF;
    RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION migrate() RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    ALTER TABLE products
        ADD COLUMN price_cents bigint,
        ADD CONSTRAINT prices_agree CHECK (price_cents = price * 100);
    CREATE TRIGGER keep_prices_in_step BEFORE INSERT OR UPDATE ON products
        FOR EACH ROW EXECUTE FUNCTION keep_prices_in_step();
END
$$;
