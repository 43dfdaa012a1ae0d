LOCK TABLE users;
CREATE TABLE interests (person integer REFERENCES users, program text, PRIMARY KEY (person, program));
INSERT INTO interests SELECT id, unnest(tracked) FROM users;
ALTER TABLE users DROP COLUMN tracked;
