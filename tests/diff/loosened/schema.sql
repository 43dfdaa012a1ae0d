-- Tables, functions, policies and privileges of a shop, with a constraint of each kind that a migration may loosen:
-- changes.sql does it, one at a time.

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['clerk', 'auditor'] LOOP
        BEGIN
            EXECUTE format('CREATE ROLE %I', name);
        EXCEPTION
            WHEN duplicate_object OR unique_violation THEN NULL; -- of another database
        END;
        EXECUTE format('GRANT %I TO CURRENT_USER', name);
    END LOOP;
END
$$;

CREATE TYPE mood AS ENUM ('calm', 'busy');
CREATE DOMAIN postcode AS text CHECK (VALUE ~ '^[0-9]{5}$');
CREATE DOMAIN rating AS integer CHECK (VALUE BETWEEN 1 AND 5);

CREATE TABLE people (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name     text NOT NULL,
    nickname varchar(12),
    email    text NOT NULL UNIQUE,
    postcode postcode,
    mood     mood NOT NULL DEFAULT 'calm',
    born     date CHECK (born >= DATE '1900-01-01')
);

-- As wide as tables of applications are, with a trigger that sets a column.
CREATE TABLE profiles (
    id         serial PRIMARY KEY,
    person_id  integer NOT NULL REFERENCES people ON DELETE CASCADE,
    title      text NOT NULL,
    summary    text NOT NULL DEFAULT '',
    url        varchar(255) NOT NULL DEFAULT 'none',
    language   text NOT NULL DEFAULT 'en',
    likes      integer NOT NULL DEFAULT 0 CHECK (likes >= 0),
    posts      integer NOT NULL DEFAULT 0 CHECK (posts >= 0),
    hidden     boolean NOT NULL DEFAULT false,
    removed    boolean NOT NULL DEFAULT false,
    banner     text,
    icon       text,
    seen       timestamptz NOT NULL DEFAULT now(),
    changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.changed_at := now();
    RETURN NEW;
END
$$;
CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON profiles FOR EACH ROW EXECUTE FUNCTION touch();

CREATE TABLE products (
    sku      text PRIMARY KEY CHECK (sku ~ '^[A-Z]{2,4}-[0-9]{1,3}$'),
    title    text NOT NULL CHECK (length(title) BETWEEN 1 AND 40),
    stock    integer NOT NULL DEFAULT 0 CHECK (stock BETWEEN 0 AND 1000),
    kind     text NOT NULL CHECK (kind IN ('book', 'toy', 'food')),
    price    numeric(8, 2) NOT NULL CHECK (price > 0),
    weight   numeric(4, 1),
    stars    rating,
    low      integer NOT NULL,
    high     integer NOT NULL,
    full_price numeric GENERATED ALWAYS AS (price * 2) STORED,
    CHECK (low <= high)
);

CREATE TABLE orders (
    id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    person_id integer NOT NULL REFERENCES people,
    sku       text REFERENCES products ON UPDATE CASCADE ON DELETE SET NULL,
    amount    integer NOT NULL DEFAULT 1 CHECK (amount > 0),
    code      uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
    state     text NOT NULL DEFAULT 'open',
    paid_at   timestamptz,
    CHECK ((state = 'paid') = (paid_at IS NOT NULL))
);

CREATE TABLE payments (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id integer NOT NULL REFERENCES orders ON DELETE CASCADE,
    method   text NOT NULL,
    number   integer NOT NULL,
    UNIQUE (method, number)
);

CREATE TABLE rooms (
    id   integer PRIMARY KEY,
    name text NOT NULL
);
CREATE UNIQUE INDEX rooms_name ON rooms (lower(name));

CREATE TABLE bookings (
    room_id  integer NOT NULL REFERENCES rooms,
    during   int4range NOT NULL CHECK (NOT isempty(during)),
    EXCLUDE USING gist (int4range(room_id, room_id, '[]') WITH =, during WITH &&)
);

CREATE TABLE notes (
    id    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner text NOT NULL,
    body  text NOT NULL,
    open  boolean NOT NULL DEFAULT true
);
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON notes FOR ALL TO clerk USING (owner = current_setting('app.user', true))
    WITH CHECK (owner = current_setting('app.user', true));
CREATE POLICY all_open ON notes FOR SELECT TO auditor USING (open);
GRANT SELECT, INSERT, UPDATE ON notes TO clerk;
GRANT SELECT ON notes TO auditor;

CREATE TABLE salaries (
    id     integer PRIMARY KEY,
    amount integer NOT NULL,
    bonus  integer
);
GRANT SELECT (id, amount) ON salaries TO clerk;
GRANT INSERT ON salaries TO auditor;
GRANT UPDATE (amount) ON salaries TO auditor;
GRANT SELECT ON salaries TO auditor;

CREATE FUNCTION keep_salary() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.amount < OLD.amount THEN
        RAISE EXCEPTION 'a salary does not fall';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER keep_salary BEFORE UPDATE ON salaries FOR EACH ROW EXECUTE FUNCTION keep_salary();

CREATE FUNCTION total(first integer, second integer) RETURNS integer LANGUAGE sql IMMUTABLE STRICT AS
$$ SELECT coalesce(first, 0) + coalesce(second, 0) $$;

CREATE FUNCTION average_salary() RETURNS numeric LANGUAGE sql STABLE AS
$$ SELECT avg(amount) + coalesce(avg(bonus), 0) FROM salaries $$;

CREATE FUNCTION raise_all(percent integer DEFAULT 10) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    changed bigint;
BEGIN
    UPDATE salaries SET amount = amount + amount * percent / 100;
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END
$$;
REVOKE EXECUTE ON FUNCTION raise_all FROM PUBLIC;
GRANT EXECUTE ON FUNCTION raise_all TO auditor;

CREATE VIEW busy_people AS SELECT id, name, email, mood FROM people WHERE mood = 'busy' WITH CHECK OPTION;
GRANT SELECT, INSERT, UPDATE ON busy_people TO clerk;
