-- Each person lends to the next one, in a circle.
CREATE TABLE people (
    id   integer PRIMARY KEY,
    lent integer NOT NULL DEFAULT 0,
    owes integer NOT NULL DEFAULT 0
);

CREATE FUNCTION lend(who integer) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    next integer := (SELECT coalesce(min(id) FILTER (WHERE id > who), min(id)) FROM people);
BEGIN
    PERFORM FROM people WHERE id IN (who, next) ORDER BY id FOR UPDATE;
    UPDATE people SET lent = lent + 1 WHERE id = who;
    UPDATE people SET owes = owes + 1 WHERE id = next;
END
$$;
