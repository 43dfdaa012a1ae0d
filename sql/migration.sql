-- A schema migration in progress: prices with two decimals become whole cents. For a while, programs that
-- know the old column and programs that know the new one run side by side. The migration therefore adds the
-- new column, fills it, and creates a trigger that keeps the two in step ("expand"). A later migration would
-- drop the old column ("contract").

CREATE TABLE products (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name  text NOT NULL,
    price numeric(10, 2) NOT NULL CONSTRAINT price_not_negative CHECK (price >= 0)
);

-- Fills in the column that a program does not write.
CREATE FUNCTION keep_prices_in_step() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.price_cents := coalesce(NEW.price_cents, NEW.price * 100);
        NEW.price := coalesce(NEW.price, NEW.price_cents / 100.0);
    ELSIF NEW.price <> OLD.price THEN
        NEW.price_cents := NEW.price * 100;
    ELSIF NEW.price_cents <> OLD.price_cents THEN
        NEW.price := NEW.price_cents / 100.0;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION migrate() RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    ALTER TABLE products ADD COLUMN price_cents bigint;
    UPDATE products SET price_cents = price * 100;
    ALTER TABLE products
        ALTER COLUMN price_cents SET NOT NULL,
        ADD CONSTRAINT prices_agree CHECK (price_cents = price * 100);
    CREATE TRIGGER keep_prices_in_step BEFORE INSERT OR UPDATE ON products
        FOR EACH ROW EXECUTE FUNCTION keep_prices_in_step();
END
$$;

-- The statements of programs that know the new column. They are PL/pgSQL functions, because the column does not
-- exist yet and PL/pgSQL looks up columns only when a statement first runs.

CREATE FUNCTION add_in_cents(name text, cents bigint) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    product bigint;
BEGIN
    INSERT INTO products (name, price_cents) VALUES (name, cents) RETURNING id INTO product;
    RETURN product;
END
$$;

-- A program from the time of transition, which writes both columns.
CREATE FUNCTION add_in_both(name text, price numeric, cents bigint) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    product bigint;
BEGIN
    INSERT INTO products (name, price, price_cents) VALUES (name, price, cents) RETURNING id INTO product;
    RETURN product;
END
$$;

CREATE FUNCTION set_cents(product bigint, cents bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE products SET price_cents = cents WHERE id = product;
END
$$;

CREATE FUNCTION prices_in_cents() RETURNS TABLE (product bigint, cents bigint)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
    RETURN QUERY SELECT id, price_cents FROM products;
END
$$;
