-- How often each page was visited. The first two visits of a page may come at the same time: one inserts the row, the
-- other must add to it.

CREATE TABLE visits (
    page text PRIMARY KEY,
    n    integer NOT NULL DEFAULT 1
);

-- Returns the number of the visit.
CREATE FUNCTION visit(the_page text) RETURNS integer
LANGUAGE sql
AS $$
    INSERT INTO visits (page) VALUES (the_page)
        ON CONFLICT (page) DO UPDATE SET n = visits.n + 1
        RETURNING n
$$;
