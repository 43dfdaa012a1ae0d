-- A new attempt begins with its own clock.
CREATE OR REPLACE FUNCTION reap_leases() RETURNS bigint LANGUAGE sql AS $$
    WITH gone AS (
        UPDATE frames
           SET state = CASE WHEN attempts >= 3 THEN 'failed' ELSE 'queued' END,
               node = NULL, lease_until = NULL, started_at = NULL
         WHERE state = 'leased' AND lease_until <= app_now()
        RETURNING 1)
    SELECT count(*) FROM gone
$$;
