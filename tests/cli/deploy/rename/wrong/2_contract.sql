CREATE INDEX ON people (email);
