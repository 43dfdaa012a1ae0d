-- visit counts pages without regard to case, which a page's name has: /A and /a are one page.
-- shortest: 1 request
--   SELECT visit('A')

CREATE OR REPLACE FUNCTION visit(the_page text) RETURNS integer
LANGUAGE sql
AS $$
    INSERT INTO visits (page) VALUES (lower(the_page))
        ON CONFLICT (page) DO UPDATE SET n = visits.n + 1
        RETURNING n
$$;
