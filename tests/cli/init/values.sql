-- CHECKs over several columns, JSON with a shape, generated columns, domains, enums, awkward names.
CREATE TYPE state AS ENUM ('draft', 'open', 'it''s "closed"');
CREATE DOMAIN quantity AS int NOT NULL CHECK (VALUE >= 0) CONSTRAINT not_too_many CHECK (VALUE % 7 <> 6);
CREATE DOMAIN code AS text CONSTRAINT code_form CHECK (VALUE ~ '^[A-Z]{2}\d{3}$');
CREATE DOMAIN short_code AS code CHECK (length(VALUE) = 5);
CREATE SCHEMA app;
CREATE TABLE app."Order Item" (
    "select" bigserial PRIMARY KEY,
    "Code" short_code UNIQUE,
    quantity quantity,
    reserved int NOT NULL DEFAULT 0 CHECK (reserved >= 0),
    price numeric(8, 2) NOT NULL CHECK (price > 0),
    total numeric GENERATED ALWAYS AS (price * reserved) STORED,
    state state NOT NULL DEFAULT 'draft',
    opened date, closed date,
    tags text[] NOT NULL DEFAULT '{}',
    CONSTRAINT "in stock" CHECK (reserved <= 1000 OR state = 'draft'),
    CONSTRAINT dates CHECK (closed IS NULL OR opened IS NOT NULL AND closed >= opened),
    CONSTRAINT one_of_two CHECK (num_nonnulls(opened, "Code") > 0)
);
CREATE TABLE settings (
    name varchar(20) PRIMARY KEY,
    value jsonb NOT NULL CONSTRAINT shape CHECK (jsonb_typeof(value) = 'object' AND value ? 'kind' AND jsonb_typeof(value -> 'limit') = 'number'),
    extra json,
    parts int[] CHECK (cardinality(parts) < 5),
    blob bytea CHECK (octet_length(blob) < 20),
    span int4range, at timestamp, of_day time, took interval, amount money, ratio real
);
CREATE TABLE "set" ("row" text NOT NULL, "key" int);
