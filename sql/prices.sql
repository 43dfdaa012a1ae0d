-- Prices of products, with their history: a trigger keeps which price was valid from when until when. Both are the time
-- of the transaction, now(), so that all that one transaction changes is valid from the same moment.

CREATE TABLE products (
    id    int PRIMARY KEY,
    price numeric(10, 2) NOT NULL CHECK (price >= 0)
);

CREATE TABLE prices (
    product int NOT NULL,
    price   numeric(10, 2) NOT NULL,
    since   timestamptz NOT NULL,
    until   timestamptz NOT NULL DEFAULT 'infinity'
);

CREATE INDEX ON prices (product, since);

CREATE FUNCTION keep_history() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    -- What this transaction wrote before never was a price to anybody else.
    DELETE FROM prices WHERE product = OLD.id AND since = now();
    UPDATE prices SET until = now() WHERE product = OLD.id AND until = 'infinity';
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO prices (product, price, since) VALUES (NEW.id, NEW.price, now());
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER keep_history AFTER INSERT OR UPDATE OF price OR DELETE ON products
    FOR EACH ROW EXECUTE FUNCTION keep_history();

-- Says when it is valid.
CREATE FUNCTION set_price(product int, price numeric) RETURNS timestamptz
LANGUAGE sql
AS $$
    INSERT INTO products VALUES (product, price)
        ON CONFLICT (id) DO UPDATE SET price = EXCLUDED.price
    RETURNING now()
$$;

CREATE FUNCTION withdraw(product int) RETURNS timestamptz
LANGUAGE sql
AS $$
    DELETE FROM products WHERE id = product;
    SELECT now()
$$;

-- NULL: there was none.
CREATE FUNCTION price_at(product int, moment timestamptz) RETURNS numeric
LANGUAGE sql STABLE
AS $$
    SELECT p.price FROM prices p WHERE p.product = price_at.product AND p.since <= moment AND moment < p.until
$$;
