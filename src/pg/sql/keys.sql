-- The foreign keys of the table with the oid $1, as a JSON array: their columns, by their places in the
-- table, and a query for the rows that they may refer to, which calls nothing by name: it runs with any search_path.
WITH places AS (
    SELECT a.attnum, pg_catalog.row_number() OVER (ORDER BY a.attnum) - 1 AS place
    FROM pg_catalog.pg_attribute AS a
    WHERE a.attrelid = $1::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped
), keys AS (
    SELECT c.conname, pg_catalog.jsonb_build_object(
        'columns', ARRAY(
            SELECT p.place FROM pg_catalog.unnest(c.conkey) WITH ORDINALITY AS k (attnum, n)
            JOIN places AS p USING (attnum) ORDER BY k.n),
        'full', c.confmatchtype = 'f',
        'query', (
            SELECT pg_catalog.format(
                'SELECT DISTINCT %s FROM %I.%I WHERE (%s) IS NOT NULL ORDER BY %s LIMIT 1000',
                pg_catalog.string_agg(pg_catalog.quote_ident(r.attname), ', ' ORDER BY k.n),
                n.nspname, t.relname,
                pg_catalog.string_agg(pg_catalog.quote_ident(r.attname), ', ' ORDER BY k.n),
                pg_catalog.string_agg(k.n::pg_catalog.text, ', ' ORDER BY k.n))
            FROM pg_catalog.unnest(c.confkey) WITH ORDINALITY AS k (attnum, n)
            JOIN pg_catalog.pg_attribute AS r ON r.attrelid = c.confrelid AND r.attnum = k.attnum)
    ) AS facts
    FROM pg_catalog.pg_constraint AS c
    JOIN pg_catalog.pg_class AS t ON t.oid = c.confrelid
    JOIN pg_catalog.pg_namespace AS n ON n.oid = t.relnamespace
    -- A key that refers to a partitioned table has a copy for each partition.
    WHERE c.contype = 'f' AND c.conrelid = $1::pg_catalog.oid AND NOT EXISTS (
        SELECT FROM pg_catalog.pg_constraint AS parent
        WHERE parent.oid = c.conparentid AND parent.conrelid = c.conrelid)
)
SELECT COALESCE(pg_catalog.jsonb_agg(facts ORDER BY conname), '[]') FROM keys
