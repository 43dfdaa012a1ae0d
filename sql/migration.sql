-- A change of schema under way. Prices were numbers with two digits behind the point, and become whole
-- cents. Programs that know the old column and programs that know the new one run side by side for a
-- while, so the migration adds the column, fills it, and has a trigger keep the two in step ("expand");
-- dropping the old one is for another day ("contract").

CREATE TABLE products (
    id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name  text NOT NULL,
    price numeric(10, 2) NOT NULL CONSTRAINT price_not_negative CHECK (price >= 0)
);

-- Whoever writes one of the two columns gets the other one.
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

-- What programs say that know the new column. They are functions, of a language that looks at a statement
-- when it is first run, because the column is not there yet.

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

-- A program of the time in between, which writes both.
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
