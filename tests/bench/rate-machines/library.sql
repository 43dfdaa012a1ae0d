CREATE TYPE copy_status AS ENUM ('shelf', 'lent', 'reserved', 'in_transit');
CREATE TABLE clock (day integer NOT NULL);
INSERT INTO clock VALUES (0);
CREATE FUNCTION today() RETURNS integer LANGUAGE sql STABLE AS 'SELECT day FROM clock';
CREATE TABLE member (name text PRIMARY KEY, owed integer NOT NULL DEFAULT 0 CHECK (owed >= 0));
CREATE TABLE copy (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    branch      text NOT NULL,                  -- where it is, or where it travels to
    status      copy_status NOT NULL DEFAULT 'shelf',
    ready_until integer                         -- the last day on which a reserved copy waits
);
CREATE TABLE loan (copy integer PRIMARY KEY REFERENCES copy, member text NOT NULL REFERENCES member, due integer NOT NULL);
CREATE TABLE hold (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    copy    integer NOT NULL REFERENCES copy,
    member  text NOT NULL REFERENCES member,
    pickup  text NOT NULL,
    CONSTRAINT one_hold UNIQUE (copy, member)
);

-- A copy that becomes reserved waits three days.
CREATE FUNCTION stamp_ready() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status = 'reserved' AND NEW.ready_until IS NULL THEN
        NEW.ready_until := today() + 3;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER stamp_ready BEFORE UPDATE ON copy FOR EACH ROW EXECUTE FUNCTION stamp_ready();

-- The copy is free: give it to the first in the queue.
CREATE FUNCTION serve_next(c integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    place text := (SELECT pickup FROM hold WHERE copy = c ORDER BY id LIMIT 1);
BEGIN
    IF place IS NULL THEN
        UPDATE copy SET status = 'shelf', ready_until = NULL WHERE id = c;
    ELSIF place = (SELECT branch FROM copy WHERE id = c) THEN
        UPDATE copy SET status = 'reserved', ready_until = NULL WHERE id = c;
    ELSE
        UPDATE copy SET status = 'in_transit', branch = place WHERE id = c;
    END IF;
END $$;

CREATE FUNCTION lend(c integer, m text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    s copy_status := (SELECT status FROM copy WHERE id = c);
    first text := (SELECT member FROM hold WHERE copy = c ORDER BY id LIMIT 1);
BEGIN
    IF (SELECT owed FROM member WHERE name = m) >= 5 THEN RAISE EXCEPTION 'pay first'; END IF;
    IF NOT (s = 'shelf' OR s = 'reserved' AND first = m) THEN RAISE EXCEPTION 'not available'; END IF;
    DELETE FROM hold WHERE copy = c AND member = m;
    UPDATE copy SET status = 'lent', ready_until = NULL WHERE id = c;
    INSERT INTO loan VALUES (c, m, today() + 7);
END $$;

CREATE FUNCTION give_back(c integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE member SET owed = owed + greatest(today() - due, 0) FROM loan WHERE copy = c AND name = loan.member;
    DELETE FROM loan WHERE copy = c;
    PERFORM serve_next(c);
END $$;

CREATE FUNCTION cancel_hold(c integer, m text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    first text := (SELECT member FROM hold WHERE copy = c ORDER BY id LIMIT 1);
BEGIN
    DELETE FROM hold WHERE copy = c AND member = m;
    IF first = m AND (SELECT status FROM copy WHERE id = c) = 'reserved' THEN PERFORM serve_next(c); END IF;
END $$;

-- At night: reserved copies that were not collected go to the next in the queue.
CREATE FUNCTION expire_holds() RETURNS void LANGUAGE plpgsql AS $$
DECLARE c integer;
BEGIN
    FOR c IN SELECT id FROM copy WHERE status = 'reserved' AND ready_until < today() ORDER BY id LOOP
        DELETE FROM hold WHERE id = (SELECT min(id) FROM hold WHERE copy = c);
        PERFORM serve_next(c);
    END LOOP;
END $$;
