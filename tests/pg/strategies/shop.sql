-- A schema with what column() and row() look at.
CREATE TYPE status AS ENUM ('new', 'paid', 'sent');
CREATE DOMAIN percent AS int CHECK (VALUE BETWEEN 0 AND 100);
CREATE DOMAIN short_code AS varchar(8) NOT NULL CHECK (VALUE ~ '^[A-Z]{2}-\d{1,3}$');
CREATE SCHEMA app;

CREATE TABLE users (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    email text NOT NULL CHECK (email ~* '^[a-z0-9]+@[a-z]+\.org$'),
    nick varchar(5),
    level smallint NOT NULL CHECK (level > 0 AND 10 >= level),
    "Full Name" text CHECK ("Full Name" IS NULL OR length("Full Name") > 2),
    kind text NOT NULL CHECK (kind IN ('guest', 'staff')),
    born date CHECK (born >= '1900-01-01' AND born < '2020-01-01'),
    rate percent,
    shares numeric(5, 2) NOT NULL CHECK (shares <> 0 AND shares >= -5),
    settings jsonb NOT NULL DEFAULT '{}',
    tags text[],
    full_level int GENERATED ALWAYS AS (level * 2) STORED
);

CREATE TABLE app.regions (
    country char(2) CHECK (country IN ('de', 'fr')),
    code short_code,
    PRIMARY KEY (country, code)
);

CREATE TABLE orders (
    id serial PRIMARY KEY,
    user_id int NOT NULL REFERENCES users,
    country char(2),
    code varchar(8),
    status status NOT NULL,
    placed timestamptz NOT NULL CHECK (placed >= '2000-01-01'),
    lasts interval,
    note text CHECK (note <> 'x'),
    FOREIGN KEY (country, code) REFERENCES app.regions
);
