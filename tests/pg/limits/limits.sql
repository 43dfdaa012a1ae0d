CREATE TABLE parent (id integer PRIMARY KEY, created_at timestamptz DEFAULT now());
CREATE TABLE late (
    id integer PRIMARY KEY,
    parent integer CONSTRAINT late_parent REFERENCES parent DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE early (
    id integer PRIMARY KEY,
    parent integer CONSTRAINT early_parent REFERENCES parent DEFERRABLE INITIALLY IMMEDIATE
);
CREATE MATERIALIZED VIEW parents AS SELECT id FROM parent;
CREATE UNIQUE INDEX ON parents (id);
CREATE SEQUENCE numbers;
CREATE TYPE mood AS ENUM ('good');
CREATE PROCEDURE work(done boolean) LANGUAGE plpgsql AS $$
BEGIN
    IF done THEN
        COMMIT;
    END IF;
END
$$;
DO $$
BEGIN
    EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = serializable', current_database());
END
$$;
CREATE SEQUENCE drawn;
SELECT setval('drawn', 5);
