-- Planted in upsert.sql: visit looks for the row, and inserts one if there is none. Two first visits both find none, and the
-- second raises an error.
--
-- shortest: 2 steps, 1 switch, 0 gates
--   A1  visit(page="home")
--   B1  visit(page="home")

CREATE OR REPLACE FUNCTION visit(the_page text) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    visit integer;
BEGIN
    IF EXISTS (SELECT FROM visits WHERE page = the_page) THEN
        UPDATE visits SET n = n + 1 WHERE page = the_page RETURNING n INTO visit;
    ELSE
        INSERT INTO visits (page) VALUES (the_page) RETURNING n INTO visit;
    END IF;
    RETURN visit;
END
$$;
