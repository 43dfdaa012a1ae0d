-- Traps, for SQL that must find nothing but what is in pg_catalog. For everything that pg_catalog has, there is an object
-- of the same name here that says so in the server's log when it is used: operators, functions, aggregates, types and
-- relations, as the catalog lists them. Other operators fit pairs of types better than any of pg_catalog's. Whoever has
-- this schema in front of pg_catalog on the search_path steps into them.
-- They are in information_schema, as pgfsm does not take its objects for those of the schema under test.
\o /dev/null
SET search_path = pg_catalog;
SET client_min_messages = error;

CREATE FUNCTION information_schema.sprung(what text) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
    RAISE LOG 'sprung by %: %', current_user, what;
    RETURN true;
END $$;

-- Some can't be made: of those whose arguments are cstring or internal.
CREATE FUNCTION information_schema.try(sql text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE sql;
EXCEPTION WHEN OTHERS THEN
    NULL;
END $$ SET check_function_bodies = off;

CREATE FUNCTION information_schema.body(what text, result text) RETURNS text LANGUAGE sql AS $$
    SELECT quote_literal(format('BEGIN PERFORM information_schema.sprung(%L); RETURN %s; END', what, result))
$$;

-- Operators, which do what those of pg_catalog do.
WITH operator AS (
    SELECT oid, oprname AS name, oprleft <> 0 AS two, format_type(oprleft, NULL) AS l, format_type(oprright, NULL) AS r,
           format_type(oprresult, NULL) AS result
    FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprcode <> 0
)
SELECT information_schema.try(format('CREATE FUNCTION information_schema.trap_%s(%s) RETURNS %s LANGUAGE plpgsql AS %s', oid,
           CASE WHEN two THEN l || ', ' || r ELSE r END, result,
           information_schema.body(format('operator %s (%s, %s)', name, l, r),
               CASE WHEN two THEN format('$1 OPERATOR(pg_catalog.%s) $2', name)
                    ELSE format('OPERATOR(pg_catalog.%s) $1', name) END))),
       information_schema.try(format('CREATE OPERATOR information_schema.%s (%srightarg = %s, function = information_schema.trap_%s)',
           name, CASE WHEN two THEN 'leftarg = ' || l || ', ' END, r, oid))
FROM operator;

-- Operators that pg_catalog has for other types only.
WITH type (name) AS (
    VALUES ('name'), ('text'), ('varchar'), ('"char"'), ('oid'), ('int2'), ('int4'), ('int8'), ('bool'), ('regclass'),
           ('regproc'), ('xid'), ('text[]'), ('oid[]'), ('int2[]'), ('name[]'), ('jsonb')
), operator (name) AS (
    VALUES ('='), ('<>'), ('<'), ('<='), ('>'), ('>='), ('~'), ('!~'), ('~*'), ('||'), ('+'), ('-'), ('*'), ('&'), ('->'), ('->>')
), made AS MATERIALIZED (
    SELECT l.name AS l, r.name AS r,
           information_schema.try(format('CREATE FUNCTION information_schema.pair(%s, %s) RETURNS bool LANGUAGE plpgsql AS %s',
               l.name, r.name, information_schema.body(format('an operator for (%s, %s)', l.name, r.name), 'false')))
    FROM type AS l, type AS r
)
SELECT information_schema.try(format(
           'CREATE OPERATOR information_schema.%s (leftarg = %s, rightarg = %s, function = information_schema.pair)',
           operator.name, made.l, made.r))
FROM made, operator;

-- Functions. Those that return sets return none, and those with a result of several columns a NULL: whoever calls them
-- fails, and is in the log.
WITH function AS (
    SELECT p.proname AS name, p.proretset AS sets,
           CASE WHEN p.proallargtypes IS NULL THEN format_type(p.prorettype, NULL) ELSE 'text' END AS result,
           coalesce((SELECT string_agg(CASE WHEN p.provariadic <> 0 AND n = p.pronargs THEN 'VARIADIC ' ELSE '' END
                                       || CASE WHEN t <> '"any"'::regtype THEN format_type(t, NULL)
                                               WHEN p.provariadic <> 0 THEN 'anycompatiblearray' ELSE 'anyelement' END,
                                       ', ' ORDER BY n)
                     FROM unnest(p.proargtypes) WITH ORDINALITY AS a (t, n)), '') AS arguments,
           (SELECT string_agg(CASE WHEN p.provariadic <> 0 AND n = p.pronargs THEN 'VARIADIC ' ELSE '' END || '$' || n,
                              ', ' ORDER BY n)
            FROM generate_series(1, p.pronargs) AS n) AS passed, p.proallargtypes IS NULL AS plain
    FROM pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f'
)
SELECT information_schema.try(format('CREATE FUNCTION information_schema.%I(%s) RETURNS %s%s LANGUAGE plpgsql AS %s',
           name, arguments, CASE WHEN sets THEN 'SETOF ' ELSE '' END, result,
           information_schema.body(format('function %s(%s)', name, arguments),
               CASE WHEN sets THEN '' WHEN plain THEN format('pg_catalog.%I(%s)', name, passed) ELSE 'NULL' END)))
FROM function;

-- Aggregates: their answers are wrong.
WITH aggregate AS (
    SELECT p.oid, p.proname AS name,
           (SELECT string_agg(CASE WHEN t = '"any"'::regtype THEN 'anyelement' ELSE format_type(t, NULL) END, ', ' ORDER BY n)
            FROM unnest(p.proargtypes) WITH ORDINALITY AS a (t, n)) AS arguments
    FROM pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'a' AND p.provariadic = 0
)
SELECT information_schema.try(format('CREATE FUNCTION information_schema.step_%s(%s) RETURNS int4 LANGUAGE plpgsql AS %s', oid,
           concat_ws(', ', 'int4', arguments), information_schema.body(format('aggregate %s(%s)', name, arguments), '0'))),
       information_schema.try(format(
           'CREATE AGGREGATE information_schema.%I(%s) (sfunc = information_schema.step_%s, stype = int4, initcond = 0)',
           name, coalesce(arguments, '*'), oid))
FROM aggregate;

-- Relations and types.
SELECT information_schema.try(format(
           'CREATE VIEW information_schema.%I AS SELECT * FROM pg_catalog.%I WHERE information_schema.sprung(%L)',
           relname, relname, 'relation ' || relname))
FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v');
SELECT information_schema.try(format('CREATE DOMAIN information_schema.%I AS pg_catalog.%I CHECK (information_schema.sprung(%L))',
                                     typname, typname, 'type ' || typname))
FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype = 'b' AND typcategory <> 'A';
CREATE COLLATION information_schema."C" (lc_collate = 'C.UTF-8', lc_ctype = 'C.UTF-8');
RESET search_path;
RESET client_min_messages;
\o
