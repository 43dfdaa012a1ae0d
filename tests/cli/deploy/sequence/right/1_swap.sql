LOCK TABLE tickets IN ACCESS EXCLUSIVE MODE;
CREATE TABLE tickets_new (id bigserial PRIMARY KEY, title text NOT NULL);
INSERT INTO tickets_new SELECT id, title FROM tickets;
SELECT setval('tickets_new_id_seq', (SELECT coalesce(max(id), 0) + 1 FROM tickets), false);
DROP TABLE tickets;
ALTER TABLE tickets_new RENAME TO tickets;
