-- Whoever lends is locked first, then the next one. Two never wait for each other, all together do.
CREATE OR REPLACE FUNCTION lend(who integer) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    next integer := (SELECT coalesce(min(id) FILTER (WHERE id > who), min(id)) FROM people);
BEGIN
    UPDATE people SET lent = lent + 1 WHERE id = who;
    UPDATE people SET owes = owes + 1 WHERE id = next;
END
$$;
