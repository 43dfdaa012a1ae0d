-- says: tables lone, pair: no rule can insert
-- Rows that must refer to each other, by a key that no rule can choose.
CREATE TABLE lone (id int GENERATED ALWAYS AS (part * 2) STORED PRIMARY KEY, part int NOT NULL, pair int NOT NULL);
CREATE TABLE pair (id int PRIMARY KEY, lone int NOT NULL REFERENCES lone DEFERRABLE INITIALLY DEFERRED);
ALTER TABLE lone ADD FOREIGN KEY (pair) REFERENCES pair DEFERRABLE INITIALLY DEFERRED;
CREATE TABLE other (id int PRIMARY KEY, note text);
