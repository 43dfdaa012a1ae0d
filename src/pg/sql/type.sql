-- What is to be known of the type with the OID $1 to draw values of it, as JSON; of a domain that of its base,
-- with all that domains add. `parts` are what it is made of: an array of its elements, a range of its bounds, a
-- multirange of its ranges, a composite of its attributes.
WITH RECURSIVE chain AS (
    SELECT t.oid, t.typtype, t.typbasetype, t.typtypmod, t.typnotnull, 0 AS depth
    FROM pg_catalog.pg_type AS t
    WHERE t.oid = $1::pg_catalog.oid
    UNION ALL
    SELECT t.oid, t.typtype, t.typbasetype, t.typtypmod, t.typnotnull, chain.depth + 1
    FROM chain
    JOIN pg_catalog.pg_type AS t ON t.oid = chain.typbasetype
    WHERE chain.typtype = 'd'
), base AS (
    SELECT t.*, e.oid AS element
    FROM pg_catalog.pg_type AS t
    -- The true array type of its element, which int2vector, name and point are not.
    LEFT JOIN pg_catalog.pg_type AS e ON e.oid = t.typelem AND e.typarray = t.oid
    WHERE t.oid = (SELECT oid FROM chain ORDER BY depth DESC LIMIT 1)
), parts AS (
    SELECT 'array' AS shape, 1 AS place, '' AS name, element AS type, NULL::pg_catalog.int4 AS modifier
    FROM base WHERE element IS NOT NULL
    UNION ALL
    SELECT 'range', 1, '', r.rngsubtype, -1
    FROM base JOIN pg_catalog.pg_range AS r ON r.rngtypid = base.oid
    UNION ALL
    -- The column is not there before PostgreSQL 14.
    SELECT 'multirange', 1, '', r.rngtypid, -1
    FROM base
    JOIN pg_catalog.pg_range AS r ON pg_catalog.to_jsonb(r) ->> 'rngmultitypid' = base.oid::pg_catalog.text
    UNION ALL
    SELECT 'composite', a.attnum, a.attname, a.atttypid, a.atttypmod
    FROM base JOIN pg_catalog.pg_attribute AS a ON a.attrelid = base.typrelid
    WHERE base.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped
)
SELECT pg_catalog.jsonb_build_object(
    'type', (SELECT typname FROM base),
    'shape', (SELECT shape FROM parts LIMIT 1),
    'parts', ARRAY(
        SELECT pg_catalog.jsonb_build_object(
            'name', name,
            'type', type::pg_catalog.text,
            'type_name', pg_catalog.format_type(type, modifier),
            'modifier', modifier)
        FROM parts ORDER BY place),
    'modifier', (SELECT pg_catalog.max(typtypmod) FROM chain WHERE typtype = 'd'),
    'not_null', (SELECT pg_catalog.bool_or(typnotnull) FROM chain WHERE typtype = 'd'),
    'labels', ARRAY(
        SELECT e.enumlabel::pg_catalog.text
        FROM pg_catalog.pg_enum AS e JOIN base ON base.oid = e.enumtypid
        ORDER BY e.enumsortorder),
    'checks', ARRAY(
        SELECT pg_catalog.pg_get_expr(c.conbin, 0)
        FROM pg_catalog.pg_constraint AS c JOIN chain ON chain.oid = c.contypid
        WHERE c.contype = 'c'
        ORDER BY 1)
)
