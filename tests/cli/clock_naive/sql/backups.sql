-- Backups, which are kept for six hours.
CREATE TABLE backups (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    made timestamptz NOT NULL
);

CREATE VIEW kept AS
    SELECT id, made AT TIME ZONE 'America/Chicago' AS made_local
      FROM backups
     WHERE now() - made < interval '6 hours';

CREATE FUNCTION make_backup() RETURNS integer
LANGUAGE sql
AS 'INSERT INTO backups (made) VALUES (now()) RETURNING id';
