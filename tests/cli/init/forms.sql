-- Keys whose values JSON shows in another form than the one that they are written in, or in several.
CREATE DOMAIN instant AS timestamptz(0) CHECK (value > '1999-01-01');
CREATE TABLE shift (starts timestamptz PRIMARY KEY, ends timestamp(3) UNIQUE);
CREATE TABLE break (
    id uuid PRIMARY KEY,
    shift timestamptz NOT NULL REFERENCES shift ON UPDATE CASCADE ON DELETE CASCADE,
    until timestamp(3) REFERENCES shift (ends) ON UPDATE SET NULL
);
CREATE TABLE seat (row_no int, opens instant, closes time UNIQUE, PRIMARY KEY (row_no, opens));
CREATE TABLE ticket (
    id int PRIMARY KEY,
    row_no int, opens instant,
    FOREIGN KEY (row_no, opens) REFERENCES seat ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE TABLE plan (period interval PRIMARY KEY, price int);
INSERT INTO plan VALUES ('72 hours', 1), ('1 mon', 2), ('1 mon 40 days 25 hours', 3);
CREATE TABLE contract (
    id uuid PRIMARY KEY,
    period interval REFERENCES plan ON UPDATE CASCADE ON DELETE RESTRICT,
    since date NOT NULL UNIQUE
);
CREATE TABLE blob (hash bytea PRIMARY KEY CHECK (octet_length(hash) <= 4), size int);
CREATE TABLE commit (
    hash bytea PRIMARY KEY,
    parent bytea REFERENCES commit ON DELETE RESTRICT,
    tree bytea NOT NULL REFERENCES blob ON UPDATE CASCADE
);
-- Rows are told apart by them, and no more: what JSON shows does not tell whether two are equal.
CREATE TABLE gauge (level float8 PRIMARY KEY, unit int);
CREATE TABLE mark (id int PRIMARY KEY, level float8 REFERENCES gauge ON DELETE CASCADE);
CREATE TABLE season (days daterange PRIMARY KEY, name text);
CREATE TABLE path (steps int[] PRIMARY KEY, name text);
