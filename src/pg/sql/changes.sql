-- Whether SQL under test, of the database or a statement of $1, may itself change what contexts set; and
-- whether the session user, too; and whether it may deallocate our prepared statements; and which settings it may
-- change that texts of values depend on, in both directions, separated by commas. To say so of one that does not costs
-- time only. What a function's own SET clause sets is put back by the server.
WITH source (text) AS (
    SELECT p.prosrc FROM pg_catalog.pg_proc AS p
    WHERE p.oid >= 16384 -- not of initdb's, and none of sql/gates.sql
      AND p.pronamespace IS DISTINCT FROM pg_catalog.to_regnamespace('pg_pgfsm')
    UNION ALL
    SELECT s FROM pg_catalog.unnest($1::pg_catalog.text[]) AS s
), tree (text) AS ( -- parsed already; prosqlbody is there from PostgreSQL 14 on
    SELECT pg_catalog.to_jsonb(p) ->> 'prosqlbody' FROM pg_catalog.pg_proc AS p
    WHERE p.oid >= 16384 AND p.prosrc = ''
    UNION ALL
    SELECT pg_catalog.concat(r.ev_action, r.ev_qual)
    FROM pg_catalog.pg_rewrite AS r WHERE r.oid >= 16384
    UNION ALL
    SELECT d.adbin::pg_catalog.text FROM pg_catalog.pg_attrdef AS d WHERE d.oid >= 16384
    UNION ALL
    SELECT c.conbin::pg_catalog.text FROM pg_catalog.pg_constraint AS c WHERE c.oid >= 16384
    UNION ALL
    SELECT pg_catalog.concat(p.polqual, p.polwithcheck) FROM pg_catalog.pg_policy AS p
    UNION ALL
    SELECT t.tgqual::pg_catalog.text FROM pg_catalog.pg_trigger AS t WHERE t.oid >= 16384
), way (pattern) AS (VALUES
    ('set_config|\mpg_settings\M'), -- the view's rule for UPDATE calls it
    ('\m(re)?set\s+(local|session)\M'),
    ('\mreset\s+(all|role)\M'),
    ('\mset\s+(role\M|"role")(?!\s*=)'), -- no column of that name
    ('\mset\s+"?\w+"?\s*(\.|\mto\M)'),
    -- where a statement begins, other than in UPDATE t SET
    ('(^|[;''`$]|"(?=(re)?set)|>>|\*/|--[^\n]*\n|\m(begin|then|else|loop)\M)\s*'
     '(re)?set\s+(?!\s|constraints\M|transaction\M)'),
    ('^(re)?set_(user|session)') -- in C, by the name of its function: the extension set_user
), changer (text) AS (
    SELECT source.text FROM source JOIN way ON source.text ~* way.pattern
    UNION ALL
    SELECT 'set_config(name)' FROM tree WHERE pg_catalog.strpos(tree.text, ':funcid '
           || 'pg_catalog.set_config(text,text,boolean)'::pg_catalog.regprocedure::pg_catalog.oid || ' ') > 0
), form (name) AS (VALUES
    ('TimeZone'), ('DateStyle'), ('IntervalStyle'), ('bytea_output'), ('extra_float_digits'), ('lc_monetary'),
    ('quote_all_identifiers'), ('client_encoding'), ('standard_conforming_strings'), ('array_nulls'), ('row_security')
)
SELECT EXISTS (SELECT FROM changer),
       EXISTS (SELECT FROM source WHERE source.text ~* 'session[_\s]+authorization'),
       EXISTS (SELECT FROM source WHERE source.text ~* '\mdeallocate\s+(prepare\s+)?(all\M|"?pgfsm_)'),
       -- by its name, or by one that is put together as it runs
       (SELECT pg_catalog.string_agg(form.name, ',') FROM form WHERE EXISTS
               (SELECT FROM changer WHERE changer.text ~* ('\m' || form.name || '\M|\mset\s+(local\s+|session\s+)?(time\s+zone|names)\M')
                    OR changer.text ~* 'set_config"?\s*\(\s*[^''\s]|\mexecute\M|\mreset\s+all\M|pg_settings'))
