-- Constraints that overlap, that do not hold for old rows, or that triggers do not guard any more.
CREATE TABLE p (a int, b int, c int, PRIMARY KEY (a, b), UNIQUE (b, c));
CREATE TABLE q (a int, b int, c int, x int, FOREIGN KEY (a, b) REFERENCES p ON DELETE SET NULL, FOREIGN KEY (b,
    c) REFERENCES p (b, c) ON UPDATE CASCADE ON DELETE CASCADE, UNIQUE (x));
CREATE TABLE r (a int, b int, c int DEFAULT 5, FOREIGN KEY (b, a) REFERENCES p (a,
    b) MATCH FULL ON DELETE SET NULL ON UPDATE CASCADE, CHECK (a IS NOT NULL OR c = 5) NO INHERIT);
CREATE TABLE s (id int PRIMARY KEY, n int, name text);
INSERT INTO s VALUES (1, -5, NULL), (2, 7, 'x');
ALTER TABLE s ADD CONSTRAINT pos CHECK (n > 0) NOT VALID; ALTER TABLE s ADD up int;
    ALTER TABLE s ADD FOREIGN KEY (up) REFERENCES s NOT VALID;
UPDATE s SET up = 2 WHERE n > 0;
CREATE TABLE x1 (id int PRIMARY KEY, y int); CREATE TABLE x2 (id int PRIMARY KEY,
    x int REFERENCES x1 ON DELETE CASCADE ON UPDATE CASCADE);
    ALTER TABLE x1 ADD FOREIGN KEY (y) REFERENCES x2 ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED;
CREATE TABLE x3 (id int PRIMARY KEY, n int REFERENCES x3 ON DELETE SET NULL ON UPDATE CASCADE,
    m int REFERENCES x3 ON DELETE SET DEFAULT DEFAULT 0, o int REFERENCES x3 ON DELETE RESTRICT DEFERRABLE);
CREATE TABLE dis (id int PRIMARY KEY, s int REFERENCES s);
CREATE FUNCTION boom() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'boom'; END $$;
CREATE TRIGGER boom BEFORE INSERT ON dis FOR EACH ROW EXECUTE FUNCTION boom(); ALTER TABLE dis DISABLE TRIGGER boom;
CREATE TABLE rep (id int PRIMARY KEY, v int UNIQUE);
    CREATE TRIGGER boom BEFORE INSERT ON rep FOR EACH ROW EXECUTE FUNCTION boom();
    ALTER TABLE rep ENABLE REPLICA TRIGGER boom;
CREATE TABLE alw (id int PRIMARY KEY, v int UNIQUE);
    CREATE TRIGGER boom AFTER UPDATE OF v ON alw FOR EACH ROW WHEN (NEW.v > 90) EXECUTE FUNCTION boom();
    ALTER TABLE alw ENABLE ALWAYS TRIGGER boom;
CREATE TABLE ex (id int PRIMARY KEY, during int4range NOT NULL, kind int,
    EXCLUDE USING gist (during WITH &&) WHERE (kind IS NULL) DEFERRABLE INITIALLY DEFERRED, CHECK (NOT isempty(during)));
CREATE TABLE arr (id int[] , v varbit(5), w bit(3) NOT NULL, x xml, m int[][], n numeric(3, 1), o numeric(5, 5),
    t time(0) with time zone UNIQUE, tt timestamp(0) UNIQUE, c "char" UNIQUE, nm name UNIQUE, f4 real UNIQUE,
    b boolean UNIQUE, u uuid UNIQUE, PRIMARY KEY (id));
CREATE TABLE many (a int UNIQUE, b int UNIQUE, c int UNIQUE, d int, UNIQUE (a, b), UNIQUE (a, b, c), UNIQUE (d, a)); 
CREATE UNIQUE INDEX ON many ((a + b)); CREATE UNIQUE INDEX ON many (d) WHERE d > 5; CREATE UNIQUE INDEX ON many (coalesce(d,
    0), a); CREATE UNIQUE INDEX ON many (d DESC NULLS LAST) INCLUDE (b) WHERE a IS NULL;
CREATE VIEW many_v AS SELECT a, b FROM many WHERE a > 0 WITH CHECK OPTION;
CREATE FUNCTION many_ins() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO many (a) VALUES (NEW.x); RETURN NEW;
    END $$;
CREATE VIEW vv AS SELECT 1 AS x; CREATE TRIGGER i INSTEAD OF INSERT ON vv FOR EACH ROW EXECUTE FUNCTION many_ins();
CREATE TABLE txt (id varchar(3) PRIMARY KEY, c char(2) UNIQUE, d text COLLATE "C" UNIQUE CHECK (d = lower(d)),
    e varchar UNIQUE CHECK (e <> '' AND length(trim(e)) = length(e)));
CREATE TABLE txt2 (id varchar(5) REFERENCES txt ON UPDATE CASCADE, c char(4) REFERENCES txt (c) ON UPDATE CASCADE,
    d varchar REFERENCES txt (d) ON DELETE CASCADE);
CREATE SEQUENCE shared; CREATE TABLE sq1 (id bigint PRIMARY KEY DEFAULT nextval('shared'));
    CREATE TABLE sq2 (id bigint PRIMARY KEY DEFAULT nextval('shared'),
    code text UNIQUE DEFAULT 'C' || lpad(nextval('shared')::text, 6, '0'));
CREATE TABLE tiny (id smallint PRIMARY KEY CHECK (id BETWEEN 1 AND 2), v boolean NOT NULL CHECK (v));
    CREATE TABLE single (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), cfg jsonb NOT NULL);
INSERT INTO single VALUES (true, '{}');
