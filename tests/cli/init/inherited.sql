-- Tables that inherit, keys in a circle, composite, binary and point types, keys of times, partitions with a default.
CREATE TYPE prio AS ENUM ('low','mid','high'); CREATE TYPE addr AS (street text, zip text);
CREATE TABLE org (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lead int, name text NOT NULL COLLATE "C");
CREATE TABLE member (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, org int NOT NULL REFERENCES org ON DELETE CASCADE, home addr, loc point, ip inet, cnt bigint DEFAULT 0 CHECK (cnt BETWEEN 0 AND 10), UNIQUE (org, ip));
ALTER TABLE org ADD FOREIGN KEY (lead) REFERENCES member DEFERRABLE INITIALLY DEFERRED;
CREATE TABLE base (id serial PRIMARY KEY, made timestamp NOT NULL DEFAULT now(), deleted_at timestamp);
CREATE TABLE ticket (title text NOT NULL, prio prio, org int REFERENCES org, PRIMARY KEY (id)) INHERITS (base);
CREATE UNLOGGED TABLE cache (k bytea PRIMARY KEY, v text[]);
CREATE TABLE slot (at timestamptz, room text, who int REFERENCES member ON UPDATE CASCADE ON DELETE SET NULL, PRIMARY KEY (at, room));
CREATE TABLE slot_note (at timestamptz, room text, n int, note text NOT NULL, PRIMARY KEY (at, room, n), FOREIGN KEY (at, room) REFERENCES slot ON DELETE CASCADE);
CREATE TABLE m (d date NOT NULL, v int, UNIQUE (d, v)) PARTITION BY RANGE (d);
CREATE TABLE m1 PARTITION OF m FOR VALUES FROM ('2020-01-01') TO ('2021-01-01'); CREATE TABLE m2 PARTITION OF m DEFAULT;
CREATE UNIQUE INDEX tk ON ticket (org, lower(title)) WHERE deleted_at IS NULL;
CREATE INDEX ON ticket (title, prio, made);
CREATE FUNCTION bump(member_id int, OUT total int) LANGUAGE plpgsql AS $$ BEGIN UPDATE member SET cnt = cnt + 1 WHERE id = member_id RETURNING cnt INTO total; END $$;
CREATE FUNCTION close_ticket(ticket_id int, reason prio DEFAULT 'low') RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('UPDATE ticket SET deleted_at = now() WHERE id = %s', ticket_id); IF NOT FOUND THEN RAISE 'none'; END IF; END $$;
COMMENT ON TABLE org IS 'x';
