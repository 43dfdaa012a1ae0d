-- Gives the rows of tables another physical order: the reverse of that in which they were written, so that ties of an
-- ORDER BY, and rows that a LIMIT takes, may be other ones. They are the same rows; no trigger, rule or foreign key
-- runs. What was written since the last time comes first, in reverse, and the rest keeps its order. How far the last
-- time came is in `pgfsm.rearranged`, and is rolled back with it. For superusers.
DO LANGUAGE plpgsql $pgfsm$
DECLARE
    path pg_catalog.text := pg_catalog.current_setting('search_path');
    replication pg_catalog.text := pg_catalog.current_setting('session_replication_role');
    counts pg_catalog.text := pg_catalog.current_setting('track_counts');
    noted pg_catalog.text := COALESCE(pg_catalog.current_setting('pgfsm.rearranged', true), '');
    place pg_catalog.tid;
    newest pg_catalog.tid;
    t record;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    PERFORM set_config('session_replication_role', 'replica', true), set_config('track_counts', 'off', true);
    noted := CASE noted WHEN '' THEN '{}' ELSE noted END;
    FOR t IN SELECT c.oid::text AS id, format('%I.%I', n.nspname, c.relname) AS name,
                    string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
             FROM pg_class AS c
             JOIN pg_namespace AS n ON n.oid = c.relnamespace
             JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
             WHERE c.relkind = 'r' AND c.relpersistence <> 't' AND n.nspname !~ '^pg_'
               AND n.nspname <> 'information_schema' AND pg_relation_size(c.oid) BETWEEN 1 AND 262144
               AND NOT EXISTS (SELECT FROM pg_trigger AS x WHERE x.tgrelid = c.oid AND x.tgenabled IN ('A', 'R'))
               AND NOT EXISTS (SELECT FROM pg_rewrite AS x WHERE x.ev_class = c.oid AND x.ev_enabled IN ('A', 'R'))
             GROUP BY c.oid, n.nspname, c.relname
    LOOP
        place := COALESCE(noted::jsonb ->> t.id, '(0,0)')::tid;
        EXECUTE format('SELECT max(ctid) FROM ONLY %s', t.name) INTO newest;
        CONTINUE WHEN newest IS NULL OR newest <= place;
        BEGIN
            EXECUTE format('WITH gone AS (DELETE FROM ONLY %1$s AS r RETURNING r.ctid AS pgfsm_place, %2$s), '
                           'back AS (INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM gone '
                           'ORDER BY pgfsm_place > $1 DESC, CASE WHEN pgfsm_place <= $1 THEN pgfsm_place END, '
                           'pgfsm_place DESC RETURNING ctid) SELECT max(ctid) FROM back', t.name, t.columns)
                INTO newest USING place;
            noted := noted::jsonb || jsonb_build_object(t.id, newest);
        EXCEPTION WHEN OTHERS THEN -- a constraint that is not valid, or a unique one that was checked late
            NULL;
        END;
    END LOOP;
    PERFORM set_config('pgfsm.rearranged', noted, true), set_config('session_replication_role', replication, true),
            set_config('track_counts', counts, true), set_config('search_path', path, true);
END $pgfsm$
