-- says: tables log, log_note
-- What stands on a partition only; partitions of partitions, of other columns; a table that has none.
CREATE TABLE client (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE bill (client int NOT NULL, day date NOT NULL, n int, note text) PARTITION BY RANGE (day);
CREATE TABLE bill_2024 (note text, gone int, n int, day date NOT NULL, client int NOT NULL, CHECK (n < 1000));
ALTER TABLE bill_2024 DROP COLUMN gone;
ALTER TABLE bill ATTACH PARTITION bill_2024 FOR VALUES FROM ('2000-01-01') TO ('2025-01-01');
CREATE TABLE bill_later PARTITION OF bill FOR VALUES FROM ('2025-01-01') TO ('2050-01-01') PARTITION BY HASH (client);
CREATE TABLE bill_later_0 PARTITION OF bill_later FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE bill_later_1 PARTITION OF bill_later FOR VALUES WITH (MODULUS 2, REMAINDER 1);
ALTER TABLE bill_2024 ADD CONSTRAINT bill_2024_client FOREIGN KEY (client) REFERENCES client ON DELETE CASCADE;
ALTER TABLE bill_later_1 ADD FOREIGN KEY (client) REFERENCES client ON DELETE SET NULL, ALTER note SET NOT NULL;
ALTER TABLE bill_later ADD CONSTRAINT later_n CHECK (n <> 7 OR note IS NULL);
CREATE UNIQUE INDEX ON bill_later_0 (note);
CREATE UNIQUE INDEX ON bill_2024 (lower(note), client);
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.n = 3 THEN RAISE division_by_zero; END IF;
    NEW.n := NEW.n + 1;
    RETURN NEW;
END $$;
CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON bill_2024 FOR EACH ROW EXECUTE FUNCTION refuse();
-- A key that refers to a partitioned table, and one that refers to one partition.
CREATE TABLE sale (region text, id int, PRIMARY KEY (region, id)) PARTITION BY LIST (region);
CREATE TABLE sale_north PARTITION OF sale FOR VALUES IN ('north', 'n');
CREATE TABLE sale_rest PARTITION OF sale DEFAULT;
CREATE TABLE refund (id int PRIMARY KEY, region text, sale int, FOREIGN KEY (region, sale) REFERENCES sale ON DELETE CASCADE);
CREATE TABLE visit (region text DEFAULT 'north', sale int, FOREIGN KEY (region, sale) REFERENCES sale_north ON UPDATE CASCADE);
CREATE TABLE log (id bigint PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE log_note (id int PRIMARY KEY, log bigint NOT NULL REFERENCES log);
