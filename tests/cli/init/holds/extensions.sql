-- says: tables book:
-- says: columns tree.pattern (lquery), place.pos (cube), which stay NULL
-- Types, operator classes and functions of extensions.
CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS hstore;
CREATE EXTENSION IF NOT EXISTS ltree;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS intarray;
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS pgcrypto;
CREATE EXTENSION IF NOT EXISTS "uuid-ossp";
CREATE EXTENSION IF NOT EXISTS tablefunc;
CREATE EXTENSION IF NOT EXISTS cube;
CREATE EXTENSION IF NOT EXISTS earthdistance;
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;
CREATE EXTENSION IF NOT EXISTS isn;
CREATE EXTENSION IF NOT EXISTS seg;
CREATE EXTENSION IF NOT EXISTS lo;
CREATE EXTENSION IF NOT EXISTS bloom;
CREATE TABLE users (id uuid PRIMARY KEY DEFAULT uuid_generate_v4(), email citext UNIQUE NOT NULL CHECK (email ~ '@'),
    name text NOT NULL, tags int[] DEFAULT '{}', attrs hstore NOT NULL DEFAULT '', pw text DEFAULT crypt('a', gen_salt('bf',
    4)));
CREATE INDEX ON users USING gin (name gin_trgm_ops); CREATE INDEX ON users USING gin (tags gin__int_ops);
    CREATE INDEX ON users USING gist (attrs);
CREATE TABLE tree (path ltree PRIMARY KEY, owner citext REFERENCES users (email) ON UPDATE CASCADE ON DELETE CASCADE,
    CHECK (nlevel(path) < 5), pattern lquery);
CREATE INDEX ON tree USING gist (path);
CREATE TABLE booking (room int, during tstzrange NOT NULL, who citext, EXCLUDE USING gist (room WITH =, during WITH &&),
    EXCLUDE USING gist ((who::text) WITH =, during WITH &&) WHERE (room > 3));
CREATE TABLE book (isbn isbn13 PRIMARY KEY, ean ean13, c cube, s seg, l lo);
CREATE TRIGGER t_l BEFORE UPDATE OR DELETE ON book FOR EACH ROW EXECUTE FUNCTION lo_manage(l);
CREATE TABLE place (id serial PRIMARY KEY, pos earth, p point, b box, EXCLUDE USING gist (b WITH &&),
    pts tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(title, ''))) STORED, title text);
CREATE INDEX ON place USING gist (ll_to_earth(p[0], p[1]));
CREATE FUNCTION nearest(lat float8,
    lon float8) RETURNS SETOF place LANGUAGE sql AS 'SELECT * FROM place WHERE earth_box(ll_to_earth(lat, lon), 1000) @> pos';
CREATE FUNCTION find(q text) RETURNS SETOF users LANGUAGE sql AS $$ SELECT * FROM users WHERE name % q OR soundex(name) = soundex(q) $$;
CREATE FUNCTION put(a hstore, p ltree,
    e citext) RETURNS void LANGUAGE sql AS $$ UPDATE users SET attrs = a WHERE email = e $$;
