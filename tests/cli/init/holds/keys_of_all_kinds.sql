-- Keys that are generated, deferrable, of domains and enums; partitions referred to and referring; chains and diamonds of actions.
CREATE TYPE lvl AS ENUM ('low', 'mid', 'high');
CREATE DOMAIN email AS text CHECK (VALUE ~ '^[^@]+@[^@]+$');
CREATE DOMAIN pk AS bigint NOT NULL CHECK (VALUE >= 0);
CREATE TABLE levels (l lvl PRIMARY KEY DEFERRABLE INITIALLY IMMEDIATE, label email NOT NULL DEFAULT 'a@b' UNIQUE);
CREATE TABLE grp (id pk PRIMARY KEY, code text NOT NULL, norm text GENERATED ALWAYS AS (upper(code)) STORED UNIQUE,
    l lvl NOT NULL DEFAULT 'low'::lvl);
CREATE TABLE mem (g text REFERENCES grp (norm) ON UPDATE CASCADE ON DELETE SET NULL, gid pk REFERENCES grp ON DELETE CASCADE,
    mail email, l lvl, PRIMARY KEY (gid), UNIQUE (mail, l));
CREATE UNIQUE INDEX uq ON mem (l, gid);
CREATE TABLE memref (l lvl, gid pk, FOREIGN KEY (l, gid) REFERENCES mem (l, gid) ON UPDATE CASCADE);
CREATE TABLE part (id int NOT NULL, k date NOT NULL, v text, ref int, PRIMARY KEY (id, k)) PARTITION BY RANGE (k);
CREATE TABLE part_a PARTITION OF part (CONSTRAINT only_a CHECK (v IS NULL OR length(v) < 10),
    UNIQUE (v)) FOR VALUES FROM ('2000-01-01') TO ('2020-01-01');
CREATE TABLE part_b PARTITION OF part FOR VALUES FROM ('2020-01-01') TO ('2041-01-01') PARTITION BY LIST (id);
CREATE TABLE part_b1 PARTITION OF part_b FOR VALUES IN (1, 2);
CREATE TABLE part_b2 PARTITION OF part_b DEFAULT;
CREATE INDEX ON part (v);
CREATE TABLE partref (id int, k date, note text, FOREIGN KEY (id,
    k) REFERENCES part ON DELETE CASCADE ON UPDATE CASCADE) PARTITION BY HASH (id);
CREATE TABLE partref0 PARTITION OF partref FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE TABLE selfp (id int, k int, up int, upk int, PRIMARY KEY (id, k), FOREIGN KEY (up,
    upk) REFERENCES selfp DEFERRABLE INITIALLY DEFERRED) PARTITION BY LIST (k);
CREATE TABLE selfp1 PARTITION OF selfp DEFAULT;
CREATE FUNCTION row_trg() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.v := coalesce(NEW.v, 'v') || 'x'; RETURN NEW;
    END $$;
CREATE TRIGGER t BEFORE INSERT ON part FOR EACH ROW EXECUTE FUNCTION row_trg();
CREATE FUNCTION move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.k := NEW.k + 1; RETURN NEW; END $$;
CREATE TABLE plain (id serial PRIMARY KEY, k date, parent int REFERENCES plain DEFERRABLE, CONSTRAINT u UNIQUE (k,
    parent) DEFERRABLE INITIALLY DEFERRED);
CREATE TRIGGER m BEFORE UPDATE ON plain FOR EACH ROW EXECUTE FUNCTION move();
CREATE TABLE arrs (id int[] UNIQUE, e lvl[] NOT NULL CHECK (cardinality(e) > 0),
    j jsonb CHECK (j ? 'a' AND jsonb_typeof(j->'a') = 'number' AND (j->>'a')::int < 10),
    r numrange CHECK (NOT isempty(r) AND lower(r) > 0), p point, UNIQUE (e));
CREATE UNIQUE INDEX ON arrs ((j->>'a')); 
CREATE TABLE money_ (m money CHECK (m > 0::money), i interval day to second UNIQUE, t time UNIQUE CHECK (t > '08:00'),
    d date CHECK (d > CURRENT_DATE - 100000), ts timestamptz UNIQUE CHECK (ts < 'infinity'),
    b bytea UNIQUE CHECK (octet_length(b) < 20));
CREATE TABLE mony_ref (t time REFERENCES money_ (t) ON DELETE CASCADE,
    ts timestamptz REFERENCES money_ (ts) ON UPDATE CASCADE, i interval REFERENCES money_ (i),
    b bytea REFERENCES money_ (b) ON DELETE SET NULL);
CREATE TABLE chain1 (id int PRIMARY KEY);
CREATE TABLE chain2 (id int PRIMARY KEY REFERENCES chain1 ON UPDATE CASCADE ON DELETE CASCADE);
CREATE TABLE chain3 (id int PRIMARY KEY REFERENCES chain2 ON UPDATE CASCADE ON DELETE RESTRICT);
CREATE TABLE chain4 (id int REFERENCES chain3 ON UPDATE SET NULL ON DELETE SET NULL UNIQUE);
CREATE TABLE diamond (a int REFERENCES chain1 ON DELETE CASCADE, b int REFERENCES chain2 ON DELETE SET NULL,
    c int REFERENCES chain2 ON DELETE CASCADE, PRIMARY KEY (a));
