-- What is to be known of the table $1 ("users", "app.users") to draw values for it, as JSON: columns in
-- their order, with their base types and CHECKs; and the names of all tables.
WITH RECURSIVE tables AS (
    SELECT c.oid, c.relname, n.nspname, pg_catalog.pg_table_is_visible(c.oid) AS visible
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), target AS (
    SELECT oid FROM tables
    WHERE (visible AND relname = $1) OR nspname || '.' || relname = $1
    ORDER BY visible AND relname = $1 DESC
    LIMIT 1
), attributes AS (
    SELECT a.*, pg_catalog.row_number() OVER (ORDER BY a.attnum) - 1 AS place
    FROM pg_catalog.pg_attribute AS a
    WHERE a.attrelid = (SELECT oid FROM target) AND a.attnum > 0 AND NOT a.attisdropped
), chain AS (
    -- A column's type, and, of a domain, what it is made of.
    SELECT a.attnum, a.atttypid AS oid, a.atttypmod AS modifier, 0 AS depth FROM attributes AS a
    UNION ALL
    SELECT chain.attnum, t.typbasetype, t.typtypmod, chain.depth + 1
    FROM chain
    JOIN pg_catalog.pg_type AS t ON t.oid = chain.oid
    WHERE t.typtype = 'd'
), base AS (
    SELECT DISTINCT ON (chain.attnum) chain.attnum, chain.modifier,
           e.oid IS NOT NULL AS is_array, COALESCE(e.oid, t.oid) AS oid,
           COALESCE(e.typname, t.typname) AS name
    FROM chain
    JOIN pg_catalog.pg_type AS t ON t.oid = chain.oid
    LEFT JOIN pg_catalog.pg_type AS e ON e.oid = t.typelem AND e.typarray = t.oid
    ORDER BY chain.attnum, chain.depth DESC
), columns AS (
    SELECT a.place, pg_catalog.jsonb_build_object(
        'name', a.attname,
        'type', b.name,
        'type_name', pg_catalog.format_type(a.atttypid, a.atttypmod),
        'array', b.is_array,
        'modifier', b.modifier,
        'not_null', a.attnotnull OR EXISTS (
            SELECT FROM chain
            JOIN pg_catalog.pg_type AS t ON t.oid = chain.oid
            WHERE chain.attnum = a.attnum AND t.typnotnull),
        'left_out', a.attgenerated <> '' OR a.attidentity <> '' OR EXISTS (
            SELECT FROM pg_catalog.pg_attrdef AS d
            WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum
              AND pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ '^nextval\('),
        'labels', ARRAY(
            SELECT e.enumlabel::pg_catalog.text FROM pg_catalog.pg_enum AS e
            WHERE e.enumtypid = b.oid ORDER BY e.enumsortorder),
        'checks', ARRAY(
            SELECT pg_catalog.pg_get_expr(c.conbin, c.conrelid)
            FROM pg_catalog.pg_constraint AS c
            WHERE c.contype = 'c' AND c.conrelid = a.attrelid AND a.attnum = ANY (c.conkey)
            UNION ALL
            SELECT pg_catalog.pg_get_expr(c.conbin, 0)
            FROM pg_catalog.pg_constraint AS c
            JOIN chain ON chain.oid = c.contypid
            WHERE c.contype = 'c' AND chain.attnum = a.attnum
            ORDER BY 1)
    ) AS facts
    FROM attributes AS a
    JOIN base AS b USING (attnum)
)
SELECT pg_catalog.jsonb_build_object(
    'table', (SELECT oid::pg_catalog.text FROM target),
    'columns', (SELECT pg_catalog.jsonb_agg(facts ORDER BY place) FROM columns),
    'tables', ARRAY(
        SELECT CASE WHEN visible THEN relname ELSE nspname || '.' || relname END
        FROM tables ORDER BY 1)
)
