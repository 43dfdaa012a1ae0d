CREATE TABLE interests (person integer REFERENCES users, program text, PRIMARY KEY (person, program));
ALTER TABLE users DROP COLUMN tracked;
