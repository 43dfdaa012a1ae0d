-- Partial, computed, covering and NULL-less unique indexes, exclusion constraints.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS citext;
CREATE TABLE account (
    id uuid PRIMARY KEY,
    email citext NOT NULL UNIQUE,
    nick text,
    closed_at timestamptz,
    "default" boolean NOT NULL DEFAULT false,
    owner int NOT NULL
);
CREATE UNIQUE INDEX account_nick ON account (lower(nick)) WHERE closed_at IS NULL;
CREATE UNIQUE INDEX account_default ON account (owner) WHERE "default";
CREATE TABLE booking (
    id serial PRIMARY KEY,
    room int NOT NULL,
    during tstzrange NOT NULL CHECK (NOT isempty(during)),
    cancelled boolean NOT NULL DEFAULT false,
    EXCLUDE USING gist (room WITH =, during WITH &&) WHERE (NOT cancelled)
);
CREATE TABLE reading (
    sensor int, at timestamptz, value float8 NOT NULL,
    UNIQUE (sensor, at) INCLUDE (value)
);
-- Columns that count up, one beside another.
CREATE TABLE numbered (id serial PRIMARY KEY, place bigserial UNIQUE, version serial, name text NOT NULL UNIQUE);
