-- What is to be known of the table $1 ("users", "app.users") to draw values for it, as JSON: columns in
-- their order, with their CHECKs; what its partitions take; and, if there is no such table, the names of all.
WITH tables AS (
    SELECT c.oid, c.relname, c.relkind, n.nspname, pg_catalog.pg_table_is_visible(c.oid) AS visible
    FROM pg_catalog.pg_class AS c
    JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'f') AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
), target AS (
    SELECT oid, relkind FROM tables
    -- As text: a name would be cut off at 63 bytes.
    WHERE (visible AND relname = $1::pg_catalog.text) OR nspname || '.' || relname = $1
    ORDER BY visible AND relname = $1 DESC
    LIMIT 1
), attributes AS (
    SELECT a.*, pg_catalog.row_number() OVER (ORDER BY a.attnum) - 1 AS place
    FROM pg_catalog.pg_attribute AS a
    WHERE a.attrelid = (SELECT oid FROM target) AND a.attnum > 0 AND NOT a.attisdropped
), columns AS (
    SELECT a.place, pg_catalog.jsonb_build_object(
        'name', a.attname,
        'type', a.atttypid::pg_catalog.text,
        'type_name', pg_catalog.format_type(a.atttypid, a.atttypmod),
        'modifier', a.atttypmod,
        'not_null', a.attnotnull,
        'has_default', a.atthasdef,
        'left_out', a.attgenerated <> '' OR a.attidentity <> '' OR EXISTS (
            SELECT FROM pg_catalog.pg_attrdef AS d
            WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum
              AND pg_catalog.pg_get_expr(d.adbin, d.adrelid) ~ '^nextval\('),
        'checks', ARRAY(
            SELECT pg_catalog.pg_get_expr(c.conbin, c.conrelid)
            FROM pg_catalog.pg_constraint AS c
            WHERE c.contype = 'c' AND c.conrelid = a.attrelid AND a.attnum = ANY (c.conkey)
            UNION ALL
            SELECT pg_catalog.pg_get_partition_constraintdef(a.attrelid)
            ORDER BY 1)
    ) AS facts
    FROM attributes AS a
)
SELECT pg_catalog.jsonb_build_object(
    'table', (SELECT oid::pg_catalog.text FROM target),
    'columns', (SELECT pg_catalog.jsonb_agg(facts ORDER BY place) FROM columns),
    'partitions', ARRAY(
        SELECT pg_catalog.pg_get_partition_constraintdef(leaf.relid)
        FROM target, LATERAL pg_catalog.pg_partition_tree(target.oid) AS leaf
        WHERE target.relkind = 'p' AND leaf.isleaf
        ORDER BY leaf.relid),
    'tables', ARRAY(
        SELECT CASE WHEN visible THEN relname ELSE nspname || '.' || relname END
        FROM tables WHERE NOT EXISTS (SELECT FROM target) ORDER BY 1)
)
