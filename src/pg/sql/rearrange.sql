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
    columns pg_catalog.text;
    t record;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    PERFORM set_config('track_counts', 'off', true);
    noted := CASE noted WHEN '' THEN '{}' ELSE noted END;
    FOR t IN SELECT c.oid, c.oid::regclass::text AS name
             FROM pg_class AS c
             WHERE c.oid >= 16384 AND c.relkind = 'r' AND c.relpersistence <> 't'
               AND pg_relation_size(c.oid) BETWEEN 1 AND 262144
    LOOP
        place := COALESCE(noted::jsonb ->> t.oid::text, '(0,0)')::tid;
        EXECUTE format('SELECT max(ctid) FROM ONLY %s', t.name) INTO newest;
        CONTINUE WHEN newest IS NULL OR newest <= place
            OR EXISTS (SELECT FROM pg_trigger AS x WHERE x.tgrelid = t.oid AND x.tgenabled IN ('A', 'R'))
            OR EXISTS (SELECT FROM pg_rewrite AS x WHERE x.ev_class = t.oid AND x.ev_enabled IN ('A', 'R'));
        -- Only now, as it makes the server forget all plans.
        PERFORM set_config('session_replication_role', 'replica', true);
        BEGIN
            SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) INTO columns
            FROM pg_attribute AS a
            WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '';
            EXECUTE format('WITH gone AS (DELETE FROM ONLY %1$s AS r RETURNING r.ctid AS pgfsm_place, %2$s), '
                           'back AS (INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s FROM gone '
                           'ORDER BY pgfsm_place > $1 DESC, CASE WHEN pgfsm_place <= $1 THEN pgfsm_place END, '
                           'pgfsm_place DESC RETURNING ctid) SELECT max(ctid) FROM back', t.name, columns)
                INTO newest USING place;
            noted := noted::jsonb || jsonb_build_object(t.oid, newest);
        EXCEPTION WHEN OTHERS THEN -- a constraint that is not valid, or no column that can be written
            NULL;
        END;
    END LOOP;
    PERFORM set_config('pgfsm.rearranged', noted, true), set_config('session_replication_role', replication, true),
            set_config('track_counts', counts, true), set_config('search_path', path, true);
END $pgfsm$
