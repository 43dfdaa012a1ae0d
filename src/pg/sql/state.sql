-- What of a session an example may change: SQL that sets what is set in it; whether it has nothing that can't be
-- had again after the example (temporary tables, locks, channels that it listens to, cursors) and its user may put
-- rows back past triggers; the first transaction after this; whether some text of the schema or the machine has a
-- word of those that define things, so that built-in objects may change as well as rows; and whether one may define
-- what all databases of a server share (shared.sql).
-- Where the clock is simulated, it goes back after an example, but uuidv7() of the same process never does.
-- No view lists settings with a dot. Those are set that some text names which may read them: of the schema, or $1,
-- the machine's.
WITH texts AS (
    SELECT $1::pg_catalog.text AS text
    UNION ALL SELECT p.prosrc FROM pg_catalog.pg_proc AS p WHERE p.oid >= 16384 -- and none of sql/gates.sql
        AND p.pronamespace IS DISTINCT FROM pg_catalog.to_regnamespace('pg_pgfsm')
    UNION ALL SELECT pg_catalog.pg_get_function_sqlbody(p.oid) FROM pg_catalog.pg_proc AS p WHERE p.oid >= 16384 AND p.prosrc = ''
    UNION ALL SELECT pg_catalog.concat(p.qual, p.with_check) FROM pg_catalog.pg_policies AS p
    UNION ALL SELECT v.definition FROM pg_catalog.pg_views AS v WHERE v.schemaname !~ '^pg_' AND v.schemaname <> 'information_schema'
    UNION ALL SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) FROM pg_catalog.pg_attrdef AS d
), settings AS (
    SELECT s.name, s.setting
    FROM pg_catalog.pg_settings AS s
    WHERE s.source = 'session' AND s.context IN ('user', 'superuser') AND s.name NOT IN ('lock_timeout', 'search_path', 'statement_timeout', 'transaction_deferrable', 'transaction_isolation', 'transaction_read_only')
    UNION SELECT s.name, pg_catalog.current_setting('pgfsm.' || s.name) -- ours are set now: see session/own.c
    FROM pg_catalog.pg_settings AS s
    WHERE s.name IN ('lock_timeout', 'search_path', 'statement_timeout')
        AND CASE WHEN s.unit = 'ms' THEN (s.reset_val || 'ms')::pg_catalog.interval
                                         <> pg_catalog.current_setting('pgfsm.' || s.name)::pg_catalog.interval
                 ELSE s.reset_val <> pg_catalog.current_setting('pgfsm.' || s.name) END
    UNION SELECT found.name[1], pg_catalog.current_setting(found.name[1], true)
    FROM texts, pg_catalog.regexp_matches(texts.text, $q$'([A-Za-z_][\w$]*\.[A-Za-z_][\w$.]*)'$q$, 'g') AS found (name)
    WHERE pg_catalog.current_setting(found.name[1], true) <> ''
)
SELECT (SELECT 'SELECT ' || pg_catalog.string_agg(
                   pg_catalog.format('pg_catalog.set_config(%L, %L, false)', s.name, s.setting), ', ')
        FROM settings AS s),
       pg_catalog.current_setting('is_superuser')::pg_catalog.bool
           AND NOT EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.relnamespace = pg_catalog.pg_my_temp_schema())
           AND NOT EXISTS (SELECT FROM pg_catalog.pg_locks AS l
                           WHERE l.locktype = 'advisory' AND l.pid = pg_catalog.pg_backend_pid())
           AND NOT EXISTS (SELECT FROM pg_catalog.pg_listening_channels())
           AND NOT EXISTS (SELECT FROM pg_catalog.pg_cursors AS c WHERE c.is_holdable)
           AND (pg_catalog.current_setting('pgfsm.clock', true) IS NULL
                OR NOT EXISTS (SELECT FROM texts WHERE texts.text ~* $q$\muuidv7\M$q$)),
       pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::pg_catalog.xid::pg_catalog.text,
       CASE WHEN EXISTS (SELECT FROM texts WHERE texts.text ~* $q$\m(alter|create|drop|execute|grant|revoke)\M$q$
                                    -- columns are called these, too
                                    OR texts.text ~* $q$\m(comment|import|label|reassign)(\s*(--|/\*)|\s+(on|for|foreign|owned)\M)$q$
                                    OR texts.text ~* $q$\m(into|update|from)\s+(only\s+)?"?(pg_catalog"?\s*\.|pg_)$q$)
                THEN 'whole'
            WHEN EXISTS (SELECT FROM pg_catalog.pg_proc AS p
                         JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
                         WHERE p.oid >= 16384 AND p.provolatile = 'v' AND l.lanname NOT IN ('sql', 'plpgsql')
                           AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
                                           JOIN pg_catalog.pg_extension AS e ON e.oid = d.refobjid
                                           WHERE d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass AND d.objid = p.oid
                                             AND d.refclassid = 'pg_catalog.pg_extension'::pg_catalog.regclass
                                             AND e.extname IN ('pgcrypto', 'uuid-ossp'))) -- they only compute
                OR EXISTS (SELECT FROM texts WHERE texts.text ~* $q$\mlanguage\M|_to_xml|import_system_collations$q$)
                THEN 'own'
            ELSE 'few' END,
       EXISTS (SELECT FROM texts
               WHERE texts.text ~* $q$\m(create|alter|drop|on)\s+(role|user|group|database|tablespace|owned|server)\M$q$
                  OR texts.text ~* $q$\m(grant|revoke)\M|\m(label|import)(\s*(--|/\*)|\s+(on|for|foreign)\M)|replication_origin|\mexecute\M(?!\s+(function|procedure)\M)$q$
                  OR texts.text ~* $q$\m(into|update|from)\s+(only\s+)?"?(pg_catalog"?\s*\.|pg_)$q$)
