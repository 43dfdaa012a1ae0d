-- Why any query may read what no count of written rows shows; NULL: there is no reason.
SELECT CASE
    WHEN pg_catalog.current_setting('track_counts') <> 'on' OR EXISTS (
        SELECT FROM pg_catalog.pg_proc AS p WHERE p.oid >= 16384
        AND pg_catalog.concat(p.prosrc, p.proconfig::pg_catalog.text) ~* 'track_counts'
    ) THEN 'track_counts may be off'
    WHEN EXISTS (SELECT FROM pg_catalog.pg_event_trigger AS e WHERE e.evtenabled <> 'D')
        THEN 'an event trigger would see how the queries are looked at'
    WHEN EXISTS (SELECT FROM pg_catalog.pg_foreign_server)
        OR EXISTS (SELECT FROM pg_catalog.pg_extension AS e WHERE e.extname IN ('dblink', 'pg_background'))
        THEN 'another connection may write'
    WHEN EXISTS (
        SELECT FROM pg_catalog.pg_amproc AS a JOIN pg_catalog.pg_proc AS p ON p.oid = a.amproc
        JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang WHERE p.oid >= 16384 AND l.lanname NOT IN ('c', 'internal')
    ) THEN 'values are compared by a function of the schema'
    WHEN EXISTS (
        SELECT FROM pg_catalog.pg_cast AS c WHERE c.castfunc >= 16384
        AND c.casttarget IN ('pg_catalog.json'::pg_catalog.regtype, 'pg_catalog.jsonb'::pg_catalog.regtype)
    ) THEN 'a cast to JSON is a function of the schema'
END
