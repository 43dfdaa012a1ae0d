-- Everything that a machine without a model calls, reads and writes, and as whom.
DO $$ BEGIN
    CREATE ROLE member NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
    CREATE ROLE guest NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;

CREATE SCHEMA app;
CREATE TYPE app.state AS ENUM ('open', 'done');
CREATE DOMAIN app.amount AS numeric(8, 2) CHECK (VALUE > 0);
CREATE TYPE app.point AS (x int, y int, states app.state[]);
CREATE TABLE users (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), email text NOT NULL UNIQUE);
CREATE TABLE orders (
    id       int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    tenant   text NOT NULL DEFAULT coalesce(current_setting('app.tenant', true), ''),
    "State"  app.state NOT NULL DEFAULT 'open',
    total    app.amount NOT NULL
);
CREATE TABLE lines (
    "order" int REFERENCES orders ON DELETE CASCADE, n int CHECK (n BETWEEN 1 AND 9), note text, PRIMARY KEY ("order", n)
);
CREATE TABLE "Odd 'name"" (x)" ("a: b" int, "c #d" text); -- has no key
CREATE TABLE seeds (id int PRIMARY KEY, word text NOT NULL);
INSERT INTO seeds SELECT i, 'word ' || i FROM generate_series(1, 3000) AS i;

CREATE VIEW open_orders AS SELECT id, total FROM orders WHERE "State" = 'open';
CREATE VIEW "Short 'lines"" (x)" AS SELECT "order", n AS line_n, note FROM lines WHERE length(note) < 9
    WITH CHECK OPTION;
CREATE MATERIALIZED VIEW totals AS SELECT owner, sum(total) AS total FROM orders GROUP BY owner;

CREATE FUNCTION app.uid() RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
CREATE FUNCTION app.plan() RETURNS text LANGUAGE sql STABLE AS $$
    SELECT nullif(current_setting('request.jwt.claims', true), '')::jsonb -> 'app_metadata' ->> 'plan'
$$;
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON orders TO member USING (owner = app.uid() AND app.plan() IN ('basic', 'full'))
    WITH CHECK (owner = app.uid());
GRANT USAGE ON SCHEMA app TO member;
GRANT SELECT, INSERT, UPDATE, DELETE ON orders TO member;
GRANT UPDATE (note), SELECT ON lines TO member;
GRANT SELECT ON open_orders TO guest;

-- Keys that it returns are known to later steps.
CREATE FUNCTION create_order(p_owner uuid, p_total numeric) RETURNS int LANGUAGE sql AS $$
    INSERT INTO orders (owner, total) VALUES (p_owner, p_total) RETURNING id
$$;
CREATE FUNCTION orders_of(owner uuid) RETURNS SETOF orders LANGUAGE sql AS 'SELECT * FROM orders WHERE owner = $1';
-- Fails unless the arguments fit a row.
CREATE FUNCTION close_order(order_id int, owner uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE orders AS o SET "State" = 'done' WHERE o.id = order_id AND o.owner = close_order.owner;
    IF NOT FOUND THEN RAISE 'no such order'; END IF;
END $$;
CREATE FUNCTION mark(kind text, "State" app.state) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
    IF kind = 'silver' THEN RETURN 1; ELSIF kind = 'gold' THEN RETURN 2; END IF;
    RAISE 'unknown kind';
END $$;
CREATE FUNCTION takes(p app.point, r orders, ps app.point[], ids int[], span int4range, VARIADIC words text[]) RETURNS int
    LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION by_json(data jsonb) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE found uuid;
BEGIN
    SELECT id INTO STRICT found FROM users WHERE id = (data ->> 'user_id')::uuid;
    RETURN found;
END $$;
CREATE FUNCTION by_default(a int, b int DEFAULT 2, c text DEFAULT 'x') RETURNS TABLE (one int, two text)
    LANGUAGE sql AS 'SELECT a + b, c';
CREATE FUNCTION same(x anyelement, xs anyarray) RETURNS anyelement LANGUAGE sql AS 'SELECT x';
CREATE FUNCTION pair() RETURNS record LANGUAGE sql AS 'SELECT (1, 2)';
CREATE FUNCTION app."Odd 'name"" (x)"("a: b" int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE PROCEDURE tidy(keep int, INOUT gone int DEFAULT 0) LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM lines WHERE n > keep;
    gone := 1;
END $$;

-- None of these is called.
CREATE FUNCTION waits() RETURNS void LANGUAGE sql AS 'SELECT pg_sleep(60)';
CREATE FUNCTION waits_too() RETURNS void LANGUAGE sql AS 'SELECT waits()';
CREATE FUNCTION reads_files() RETURNS text LANGUAGE sql AS $$ SELECT pg_read_file('PG_VERSION') $$;
CREATE FUNCTION writes_files() RETURNS void LANGUAGE plpgsql AS $$ BEGIN COPY users TO '/nowhere/users'; END $$;
CREATE FUNCTION in_c(int) RETURNS int LANGUAGE internal AS 'int4abs';
CREATE FUNCTION for_trigger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE AGGREGATE largest(int) (SFUNC = int4larger, STYPE = int);
CREATE VIEW slow AS SELECT pg_sleep(60)::text AS nothing;
