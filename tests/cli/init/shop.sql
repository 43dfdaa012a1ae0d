-- A shop with pages: customers, catalogue, carts, orders, stock, reviews, content.
CREATE EXTENSION IF NOT EXISTS citext;
CREATE DOMAIN email AS citext CHECK (VALUE ~ '^[^@]+@[^@]+$');
CREATE DOMAIN slug AS text CHECK (VALUE ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(VALUE) <= 60);
CREATE TYPE order_status AS ENUM ('cart', 'placed', 'paid', 'shipped', 'cancelled');
CREATE TABLE customers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email email NOT NULL UNIQUE,
    name varchar(80) NOT NULL,
    deleted_at timestamptz
);
CREATE TABLE addresses (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customers ON DELETE CASCADE,
    line text NOT NULL,
    country char(2) NOT NULL,
    is_default boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX addresses_default ON addresses (customer_id) WHERE is_default;
CREATE TABLE categories (
    id serial PRIMARY KEY,
    parent_id int REFERENCES categories ON DELETE CASCADE,
    slug slug NOT NULL,
    position int NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX categories_slug ON categories (coalesce(parent_id, 0), slug);
CREATE TABLE products (
    id serial PRIMARY KEY,
    sku text NOT NULL UNIQUE,
    title text NOT NULL,
    price_cents int NOT NULL CHECK (price_cents > 0),
    sale_cents int,
    attributes jsonb NOT NULL DEFAULT '{}',
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple', title)) STORED,
    CONSTRAINT sale_is_cheaper CHECK (sale_cents IS NULL OR sale_cents < price_cents)
);
CREATE TABLE product_categories (
    product_id int REFERENCES products ON DELETE CASCADE,
    category_id int REFERENCES categories ON DELETE CASCADE,
    PRIMARY KEY (product_id, category_id)
);
CREATE TABLE stock (
    product_id int PRIMARY KEY REFERENCES products ON DELETE CASCADE,
    on_hand int NOT NULL DEFAULT 0 CHECK (on_hand >= 0),
    reserved int NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    CONSTRAINT enough CHECK (reserved <= on_hand)
);
CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint REFERENCES customers ON DELETE SET NULL,
    address_id bigint REFERENCES addresses ON DELETE RESTRICT,
    status order_status NOT NULL DEFAULT 'cart',
    placed_at timestamptz,
    CONSTRAINT placed CHECK (status = 'cart' OR placed_at IS NOT NULL)
);
CREATE UNIQUE INDEX orders_one_cart ON orders (customer_id) WHERE status = 'cart';
CREATE TABLE order_items (
    order_id bigint REFERENCES orders ON DELETE CASCADE,
    product_id int REFERENCES products ON DELETE RESTRICT,
    quantity int NOT NULL CHECK (quantity BETWEEN 1 AND 99),
    unit_cents int NOT NULL CHECK (unit_cents >= 0),
    total_cents bigint GENERATED ALWAYS AS (quantity::bigint * unit_cents) STORED,
    PRIMARY KEY (order_id, product_id)
);
CREATE TABLE payments (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    order_id bigint NOT NULL UNIQUE REFERENCES orders,
    amount numeric(10, 2) NOT NULL CHECK (amount > 0),
    provider text NOT NULL CHECK (provider IN ('card', 'transfer')),
    refunded numeric(10, 2) NOT NULL DEFAULT 0,
    CONSTRAINT refund_in_bounds CHECK (refunded >= 0 AND refunded <= amount)
);
CREATE TABLE reviews (
    product_id int REFERENCES products ON DELETE CASCADE,
    customer_id bigint REFERENCES customers ON DELETE CASCADE,
    stars smallint NOT NULL CHECK (stars >= 1 AND stars <= 5),
    body text CHECK (body <> ''),
    PRIMARY KEY (customer_id, product_id)
);
CREATE TABLE authors (id serial PRIMARY KEY, name text NOT NULL);
CREATE TABLE pages (
    id serial PRIMARY KEY,
    slug slug NOT NULL UNIQUE,
    author_id int NOT NULL DEFAULT 1 REFERENCES authors ON DELETE SET DEFAULT,
    published boolean NOT NULL DEFAULT false,
    published_at timestamptz,
    body text NOT NULL DEFAULT '',
    CHECK (published = (published_at IS NOT NULL))
);
CREATE TABLE page_versions (
    page_id int NOT NULL REFERENCES pages ON DELETE CASCADE,
    version int NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (page_id, version)
);
INSERT INTO authors (name) VALUES ('nobody');
CREATE FUNCTION keep_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO page_versions (page_id, version, body)
    SELECT OLD.id, coalesce(max(version), 0) + 1, OLD.body FROM page_versions WHERE page_id = OLD.id;
    RETURN NEW;
END $$;
CREATE TRIGGER keep_version BEFORE UPDATE OF body ON pages FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE FUNCTION add_to_cart(cart_customer bigint, add_product int, add_quantity int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    cart bigint;
BEGIN
    SELECT id INTO cart FROM orders WHERE customer_id = cart_customer AND status = 'cart';
    IF cart IS NULL THEN
        INSERT INTO orders (customer_id) VALUES (cart_customer) RETURNING id INTO cart;
    END IF;
    INSERT INTO order_items (order_id, product_id, quantity, unit_cents)
    SELECT cart, id, add_quantity, coalesce(sale_cents, price_cents) FROM products WHERE id = add_product
    ON CONFLICT (order_id, product_id) DO UPDATE SET quantity = order_items.quantity + excluded.quantity;
    RETURN cart;
END $$;
CREATE FUNCTION cart_total(of_order bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT sum(total_cents)::bigint FROM order_items WHERE order_id = of_order
$$;
CREATE PROCEDURE restock(product int, amount int) LANGUAGE sql AS $$
    INSERT INTO stock (product_id, on_hand) VALUES (product, amount)
    ON CONFLICT (product_id) DO UPDATE SET on_hand = stock.on_hand + excluded.on_hand
$$;
