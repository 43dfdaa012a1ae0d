-- Partitions of partitions that are referred to, totals kept by triggers.
CREATE TYPE order_status AS ENUM ('new','paid','shipped','cancelled');
CREATE TABLE customers (id bigserial PRIMARY KEY, email varchar(255) UNIQUE NOT NULL,
    created_at timestamp(3) without time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
    balance numeric(12,2) NOT NULL DEFAULT 0 CHECK (balance >= 0), meta jsonb, active bool NOT NULL DEFAULT true,
    CONSTRAINT email_fmt CHECK (position('@' in email) > 1));
CREATE TABLE products (sku char(8) PRIMARY KEY, title text NOT NULL,
    price numeric(10,2) CHECK (price > 0 AND price < 100000),
    stock int NOT NULL DEFAULT 0 CHECK (stock BETWEEN 0 AND 1000000), tags text[] NOT NULL DEFAULT '{}',
    search tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', title), 'A')) STORED,
    dims real[] CHECK (array_length(dims, 1) = 3));
CREATE TABLE orders (id uuid DEFAULT gen_random_uuid(), customer_id bigint NOT NULL REFERENCES customers ON DELETE RESTRICT,
    status order_status NOT NULL DEFAULT 'new', placed_at timestamptz NOT NULL DEFAULT now(), shipped_at timestamptz,
    total numeric(14,2) DEFAULT 0, CHECK (shipped_at IS NULL OR shipped_at >= placed_at),
    CHECK ((status = 'shipped') = (shipped_at IS NOT NULL)), PRIMARY KEY (id, placed_at)) PARTITION BY RANGE (placed_at);
CREATE TABLE orders_old PARTITION OF orders FOR VALUES FROM (MINVALUE) TO ('2020-01-01');
CREATE TABLE orders_2020 PARTITION OF orders FOR VALUES FROM ('2020-01-01') TO ('2030-01-01') PARTITION BY RANGE (placed_at);
CREATE TABLE orders_2020_new PARTITION OF orders_2020 FOR VALUES FROM ('2020-01-01') TO ('2022-01-01');
CREATE TABLE orders_2020_rest PARTITION OF orders_2020 DEFAULT;
CREATE TABLE items (order_id uuid NOT NULL, placed_at timestamptz NOT NULL, line smallint NOT NULL CHECK (line > 0),
    sku char(8) NOT NULL REFERENCES products ON UPDATE CASCADE, qty int NOT NULL CHECK (qty > 0),
    price numeric(10,2) NOT NULL, sum numeric GENERATED ALWAYS AS (qty * price) STORED, PRIMARY KEY (order_id, line),
    FOREIGN KEY (order_id, placed_at) REFERENCES orders ON DELETE CASCADE);
CREATE FUNCTION total() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE orders o SET total = (SELECT sum(i.sum) FROM items i WHERE i.order_id = o.id) WHERE o.id = coalesce(NEW.order_id,
    OLD.order_id); RETURN coalesce(NEW, OLD); END $$;
CREATE TRIGGER total AFTER INSERT OR UPDATE OR DELETE ON items FOR EACH ROW EXECUTE FUNCTION total();
CREATE FUNCTION reserve() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE products SET stock = stock - NEW.qty WHERE sku = NEW.sku;
    IF NOT FOUND THEN RAISE foreign_key_violation USING MESSAGE = 'no such product'; END IF; RETURN NEW; END $$;
CREATE TRIGGER reserve BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION reserve();
CREATE PROCEDURE place(c bigint, s char, q int) LANGUAGE plpgsql AS $$ DECLARE o uuid; t timestamptz := now();
    BEGIN INSERT INTO orders (customer_id, placed_at) VALUES (c, t) RETURNING id INTO o; INSERT INTO items (order_id,
    placed_at, line, sku, qty, price) SELECT o, t, 1, sku, q, price FROM products WHERE sku = s; END $$;
CREATE TABLE schema_migrations (version varchar PRIMARY KEY);
