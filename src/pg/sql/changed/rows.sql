-- How to read each of the tables in $1: its OID, its columns by number, which of them are its primary key, from 0, and
-- SQL, for any search_path. That gives for each row a hash of it and one of its key, or NULL, then two values for each
-- column: the value, and in its place, if its text is long, the beginning of that.
--
-- No cast of a user's runs, no operator, no function: only a type's own output.
WITH columns AS (
    SELECT a.attrelid, a.attnum, pg_catalog.quote_ident(a.attname) AS name,
           pg_catalog.row_number() OVER (PARTITION BY a.attrelid ORDER BY a.attnum) - 1 AS place,
           t.typlen > 0 AS is_short,
           COALESCE(b.oid, t.oid) < 16384 AND COALESCE(b.typcategory, t.typcategory) <> 'A' AS is_ordered,
           CASE WHEN pg_catalog.array_position(i.indkey::pg_catalog.int2[], a.attnum) < i.indnkeyatts
                THEN pg_catalog.array_position(i.indkey::pg_catalog.int2[], a.attnum) END AS key_place -- from 0
    FROM pg_catalog.pg_attribute AS a
    JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
    LEFT JOIN pg_catalog.pg_type AS b ON b.oid = t.typbasetype
    LEFT JOIN pg_catalog.pg_index AS i ON i.indrelid = a.attrelid AND i.indisprimary
    WHERE a.attrelid = ANY ($1::pg_catalog.oid[]) AND a.attnum > 0 AND NOT a.attisdropped
), texts AS (
    SELECT c.*, pg_catalog.format('t.%s', c.name) AS value,
           pg_catalog.format('pg_catalog.format(''%%s'', t.%s)', c.name) AS text
    FROM columns AS c
), lists AS (
    SELECT t.attrelid, pg_catalog.string_agg(t.attnum::pg_catalog.text, ' ' ORDER BY t.attnum) AS numbers,
           pg_catalog.string_agg(t.place::pg_catalog.text, ' ' ORDER BY t.key_place)
               FILTER (WHERE t.key_place IS NOT NULL) AS key,
           pg_catalog.string_agg(t.value, ', ' ORDER BY t.key_place) FILTER (WHERE t.key_place IS NOT NULL)
               AS key_values,
           pg_catalog.bool_and(t.is_ordered) FILTER (WHERE t.key_place IS NOT NULL) AS is_ordered,
           pg_catalog.string_agg(CASE WHEN t.is_short THEN pg_catalog.format(', %s AS %s, NULL', t.value, t.name)
                                      ELSE pg_catalog.format(', CASE WHEN pg_catalog.octet_length(%1$s) '
                                          'OPERATOR(pg_catalog.<=) 1000 THEN %2$s END AS %3$s, '
                                          'CASE WHEN pg_catalog.octet_length(%1$s) '
                                          'OPERATOR(pg_catalog.>) 1000 THEN pg_catalog.left(%1$s, 240) END',
                                          t.text, t.value, t.name) END, '' ORDER BY t.attnum) AS selected
    FROM texts AS t
    GROUP BY t.attrelid
)
SELECT c.oid, COALESCE(l.numbers, ''), COALESCE(l.key, ''),
       pg_catalog.format('SELECT %s, %s%s FROM %s%I.%I AS t%s',
           pg_catalog.format(h.hash, 't.*'),
           CASE WHEN l.key IS NULL THEN 'NULL' ELSE pg_catalog.format(h.hash, l.key_values) END,
           l.selected, CASE WHEN c.relkind = 'p' THEN '' ELSE 'ONLY ' END, n.nspname, c.relname,
           CASE WHEN l.is_ordered THEN ' ORDER BY ' || l.key_values END)
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN lists AS l ON l.attrelid = c.oid
CROSS JOIN (SELECT 'pg_catalog.hashtextextended(pg_catalog.format(''%%s'', ROW(%s)) COLLATE pg_catalog."C", 0)') AS h (hash)
WHERE c.oid = ANY ($1::pg_catalog.oid[])
