-- The types of $1 and all that they are made of: elements of arrays, bases of domains, fields of
-- composites. With -1 the names are those of types of any length: a cast to bpchar cuts nothing off,
-- one to character all but the first.
WITH RECURSIVE shape AS (
    SELECT t.oid, t.typtype,
           -- The true array type of its element, which int2vector, name and point are not.
           CASE WHEN e.typarray = t.oid THEN t.typelem ELSE 0 END AS element,
           CASE WHEN e.typarray = t.oid THEN e.typdelim ELSE ',' END AS delimiter,
           CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE 0 END AS base,
           CASE WHEN t.typtype = 'c' THEN t.typrelid ELSE 0 END AS relation
    FROM pg_catalog.pg_type AS t
    LEFT JOIN pg_catalog.pg_type AS e ON e.oid = t.typelem
), needed AS (
    SELECT unnest($1::pg_catalog.oid[]) AS oid
    UNION
    SELECT part.oid
    FROM needed
    JOIN shape USING (oid)
    CROSS JOIN LATERAL (
        SELECT shape.element
        UNION ALL SELECT shape.base
        UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute AS a
                  WHERE a.attrelid = shape.relation AND a.attnum > 0 AND NOT a.attisdropped
    ) AS part (oid)
    WHERE part.oid <> 0
)
SELECT shape.oid, pg_catalog.format_type(shape.oid, -1), shape.typtype, shape.element,
       shape.delimiter, shape.base,
       ARRAY(SELECT a.atttypid FROM pg_catalog.pg_attribute AS a
             WHERE a.attrelid = shape.relation AND a.attnum > 0 AND NOT a.attisdropped
             ORDER BY a.attnum)
FROM needed
JOIN shape USING (oid)
