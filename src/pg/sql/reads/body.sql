-- What bodies of functions read, as the parser left them: nothing is folded yet, and nothing runs. $1: such a body, or
-- an empty text for that of the function in the same place of $2. A row for each thing, with the place of the body:
-- `table` with its OID; `function`, one in SQL to be looked at in its turn, with the OID; or `all` and why, where it
-- may read anything, or something that no count of written rows shows.
WITH RECURSIVE body (place, text) AS MATERIALIZED (
    SELECT a.place, COALESCE(p.prosqlbody::pg_catalog.text, a.body)
    FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.oid[]))
         WITH ORDINALITY AS a (body, id, place) LEFT JOIN pg_catalog.pg_proc AS p ON a.body = '' AND p.oid = a.id
), node (place, kind, id) AS (
    SELECT body.place, 'body'::pg_catalog.text COLLATE pg_catalog."C", 0::pg_catalog.oid FROM body
    UNION
    SELECT node.place, next.kind COLLATE pg_catalog."C", next.id
    FROM node CROSS JOIN LATERAL (
        -- what is named in a text: of a body, a view, a policy, a column that is worked out as it is read, a domain
        SELECT CASE WHEN field.name = 'relid' THEN 'table'
                    WHEN field.name IN ('opno', 'eqop', 'sortop', 'opnos') THEN 'operator'
                    WHEN field.name ~ 'types?$' OR field.name = 'typid' THEN 'type'
                    WHEN field.name IN ('commandType', 'varattno', 'tablesample', 'tablefunc') THEN field.name
                    ELSE 'function' END,
               (CASE WHEN number ~ '^\d+$' THEN number ELSE '1' END)::pg_catalog.oid
        FROM (
            SELECT body.text FROM body WHERE node.kind = 'body' AND body.place = node.place
            UNION ALL
            SELECT r.ev_action::pg_catalog.text FROM pg_catalog.pg_rewrite AS r
            JOIN pg_catalog.pg_class AS c ON c.oid = r.ev_class
            WHERE node.kind = 'table' AND r.ev_class = node.id AND r.ev_type = '1' AND c.relkind = 'v'
            UNION ALL
            SELECT p.polqual::pg_catalog.text FROM pg_catalog.pg_policy AS p
            JOIN pg_catalog.pg_class AS c ON c.oid = p.polrelid
            WHERE node.kind = 'table' AND p.polrelid = node.id AND c.relrowsecurity
            UNION ALL
            SELECT d.adbin::pg_catalog.text FROM pg_catalog.pg_attrdef AS d
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
            WHERE node.kind = 'table' AND d.adrelid = node.id AND a.attgenerated = 'v'
            UNION ALL
            SELECT c.conbin::pg_catalog.text FROM pg_catalog.pg_constraint AS c
            WHERE node.kind = 'type' AND c.contypid = node.id
        ) AS source (text)
        -- `:relid 16501 :relkind r`; `:opnos (o 96 96)`
        CROSS JOIN LATERAL pg_catalog.string_to_table(source.text, ' :') AS part (text)
        CROSS JOIN LATERAL (SELECT pg_catalog.split_part(part.text, ' ', 1)) AS field (name)
        CROSS JOIN LATERAL pg_catalog.string_to_table(pg_catalog.translate(pg_catalog.substr(
            part.text, pg_catalog.length(field.name) + 2), '(o)}', ''), ' ') WITH ORDINALITY AS n (number, at)
        WHERE field.name IN (
            'relid', 'opno', 'eqop', 'sortop', 'opnos', 'funcid', 'opfuncid', 'hashfuncid', 'negfuncid', 'aggfnoid',
            'winfnoid', 'resulttype', 'consttype', 'paramtype', 'funcresulttype', 'opresulttype', 'aggtype', 'wintype', 'typid',
            'funccoltypes', 'vartype', 'commandType', 'varattno', 'tablesample', 'tablefunc'
        ) AND number NOT IN ('', '0', '<>') AND (at = 1 OR field.name IN ('opnos', 'funccoltypes'))
            AND NOT (field.name = 'commandType' AND number = '1') AND NOT (field.name = 'varattno' AND number NOT LIKE '-%')
        UNION ALL
        SELECT 'table', i.inhrelid FROM pg_catalog.pg_inherits AS i WHERE node.kind = 'table' AND i.inhparent = node.id
        UNION ALL
        SELECT 'function', o.oprcode::pg_catalog.oid FROM pg_catalog.pg_operator AS o
        WHERE node.kind = 'operator' AND o.oid = node.id
        UNION ALL
        SELECT 'function', part FROM pg_catalog.pg_aggregate AS a CROSS JOIN LATERAL pg_catalog.unnest(ARRAY[
            a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn,
            a.aggmfinalfn]::pg_catalog.oid[]) AS part
        WHERE node.kind = 'function' AND a.aggfnoid = node.id AND node.id >= 16384 AND part <> 0
        UNION ALL
        SELECT 'type', part FROM pg_catalog.pg_type AS t CROSS JOIN LATERAL (
            SELECT t.typelem UNION ALL SELECT t.typbasetype UNION ALL
            SELECT a.atttypid FROM pg_catalog.pg_attribute AS a
            WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped UNION ALL
            SELECT r.rngsubtype FROM pg_catalog.pg_range AS r WHERE t.oid IN (r.rngtypid, r.rngmultitypid)
        ) AS of (part)
        WHERE node.kind = 'type' AND t.oid = node.id AND t.oid >= 16384 AND part <> 0
    ) AS next (kind, id)
), -- STABLE functions of the server whose answer depends on arguments, settings, the time at which the transaction
-- began, and catalogs; the others say what only the server knows, or read a table that they are told the name of
stable (name) AS (VALUES
    ('^(now|transaction_timestamp|current_(setting|user|schemas?|database)|session_user)$'),
    ('^(date|time|timetz|timestamp|timestamptz|date_part|date_trunc|extract|timezone|make_timestamptz|overlaps)$'),
    ('^((date|timestamp|timestamptz)_(eq|ne|lt|le|gt|ge|cmp)_(date|timestamp|timestamptz)|interval_pl_timestamptz)$'),
    ('^(timestamptz_(pl|mi)_interval|generate_series|in_range|to_(char|timestamp|date|number))$'),
    ('^(concat|concat_ws|format|quote_literal|quote_nullable|textanycat|anytextcat|convert_(from|to))$'),
    ('^(array_to_(string|json)|row_to_json|to_jsonb?|jsonb?_build_(array|object)|jsonb?_(populate|to)_record(set)?)$'),
    ('^(has_((any_)?column|function|schema|table|type)_privilege|pg_has_role)$'),
    ('^(jsonb?_(object_)?agg(_unique|_strict|_unique_strict)?(_transfn|_finalfn)?|enum_(first|last|range)|pg_typeof)$')
), judged (place, kind, id, why) AS (
    SELECT node.place, node.kind, node.id, CASE node.kind
        WHEN 'table' THEN COALESCE((
            SELECT CASE
                WHEN c.relkind IN ('v', 'p') THEN '-'
                WHEN c.relkind NOT IN ('r', 'm') THEN 'it reads ' || c.oid::pg_catalog.regclass || ', which is no table'
                WHEN c.relnamespace = 'pg_catalog'::pg_catalog.regnamespace THEN 'it reads the catalog'
                WHEN m.amname <> 'heap' THEN 'nobody counts what is written to ' || c.oid::pg_catalog.regclass
                ELSE '' END
            FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_am AS m ON m.oid = c.relam WHERE c.oid = node.id), 'it is gone')
        WHEN 'function' THEN COALESCE((
            SELECT CASE
                WHEN p.provolatile = 'v' THEN 'it calls ' || p.oid::pg_catalog.regprocedure || ', which is volatile'
                WHEN p.prokind = 'a' AND p.oid >= 16384 THEN '-'
                WHEN p.oid < 16384 AND (p.provolatile = 'i' OR EXISTS (
                    SELECT FROM stable WHERE p.proname ~ stable.name)) THEN '-'
                WHEN p.oid < 16384 THEN 'it calls ' || p.oid::pg_catalog.regprocedure
                WHEN l.lanname = 'sql' THEN ''
                WHEN l.lanname = 'c' AND p.provolatile = 'i' AND EXISTS (
                    SELECT FROM pg_catalog.pg_depend AS d WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass
                    AND d.objid = p.oid AND d.deptype = 'e') THEN '-'
                ELSE 'it calls ' || p.oid::pg_catalog.regprocedure || ', which is in ' || l.lanname END
            FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang WHERE p.oid = node.id), 'it is gone')
        WHEN 'commandType' THEN 'it writes'
        WHEN 'varattno' THEN 'it reads where rows are stored'
        WHEN 'tablesample' THEN 'it reads a sample'
        WHEN 'tablefunc' THEN 'it reads a table made of a document'
        ELSE '-' END
    FROM node
)
SELECT place, CASE why WHEN '' THEN kind ELSE 'all' END, id, why FROM judged WHERE why <> '-'
