CREATE TABLE tickets_new (id bigserial PRIMARY KEY, title text NOT NULL);
INSERT INTO tickets_new SELECT id, title FROM tickets;
DROP TABLE tickets;
ALTER TABLE tickets_new RENAME TO tickets;
