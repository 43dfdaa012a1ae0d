-- Inheritance, composite types, domains over domains, arrays of enums, typed and unlogged tables.
CREATE TABLE base (id int PRIMARY KEY, name text NOT NULL CHECK (length(name) < 20), kind text DEFAULT 'x');
CREATE TABLE derived (extra int CHECK (extra > 0), PRIMARY KEY (id)) INHERITS (base);
CREATE TABLE other (id int, name text, more text UNIQUE);
ALTER TABLE other ADD kind text; ALTER TABLE other ALTER name SET NOT NULL; ALTER TABLE other ALTER id SET NOT NULL;
    ALTER TABLE other ADD CONSTRAINT base_name_check CHECK (length(name) < 20);
ALTER TABLE other INHERIT base;
CREATE TABLE pointer (id serial PRIMARY KEY, base int REFERENCES base ON DELETE CASCADE,
    derived int REFERENCES derived ON UPDATE SET NULL);
CREATE TABLE both_ (z int) INHERITS (derived, other);
CREATE UNLOGGED TABLE cache (k text PRIMARY KEY, v jsonb NOT NULL DEFAULT '{}', UNIQUE (v));
CREATE TYPE addr AS (street text, no int);
CREATE DOMAIN posint AS int CHECK (VALUE > 0) NOT NULL;
CREATE DOMAIN bigpos AS posint CHECK (VALUE > 10) DEFAULT 11;
CREATE DOMAIN zip AS char(5) CHECK (VALUE ~ '^[0-9]{5}$');
CREATE DOMAIN addr_d AS addr CHECK ((VALUE).no > 0);
CREATE TYPE mood AS ENUM ('a b', 'it''s', 'C', '');
CREATE TABLE comp (id bigpos PRIMARY KEY, a addr, b addr[], c addr_d, m mood[] DEFAULT '{}', z zip, mm mood DEFAULT 'it''s',
    zz zip[], r int4range, mr int4multirange, EXCLUDE USING gist (r WITH &&));
CREATE TABLE comp_ref (id int PRIMARY KEY, c bigpos REFERENCES comp ON DELETE CASCADE, z zip, UNIQUE (z, c));
CREATE TABLE typed OF addr (PRIMARY KEY (street), no WITH OPTIONS DEFAULT 3 NOT NULL);
