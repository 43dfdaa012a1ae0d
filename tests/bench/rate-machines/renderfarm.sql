-- A render farm: nodes claim frames under a lease, keep it alive with heartbeats, and hand in the result.
CREATE TABLE clock (now timestamptz NOT NULL);
INSERT INTO clock VALUES ('2026-01-01 00:00:00+00');

CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now FROM clock';

CREATE TABLE frames (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    scene       text NOT NULL,
    priority    integer NOT NULL DEFAULT 0 CHECK (priority BETWEEN 0 AND 3),
    state       text NOT NULL DEFAULT 'queued'
                CHECK (state IN ('queued', 'leased', 'done', 'failed', 'cancelled')),
    node        text,
    attempts    integer NOT NULL DEFAULT 0,
    started_at  timestamptz,               -- when this attempt began
    lease_until timestamptz,
    CHECK ((state = 'leased') = (lease_until IS NOT NULL)),
    CHECK ((state = 'leased') <= (node IS NOT NULL))
);
CREATE INDEX ON frames (priority DESC, id) WHERE state = 'queued';

-- A lease lasts a minute; an attempt may take four minutes in all, however often the node calls.
CREATE FUNCTION lease_time() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '60 seconds' $$;
CREATE FUNCTION max_attempt_time() RETURNS interval LANGUAGE sql IMMUTABLE AS $$ SELECT interval '240 seconds' $$;

CREATE FUNCTION claim_frame(p_node text) RETURNS bigint LANGUAGE sql AS $$
    UPDATE frames
       SET state = 'leased', node = p_node, attempts = attempts + 1,
           started_at = COALESCE(started_at, app_now()),
           lease_until = app_now() + lease_time()
     WHERE id = (SELECT id FROM frames WHERE state = 'queued'
                 ORDER BY priority DESC, id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;

CREATE FUNCTION assert_lease(p_frame bigint, p_node text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM frames
      WHERE id = p_frame AND state = 'leased' AND node = p_node AND lease_until > app_now() FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'lease lost' USING ERRCODE = 'lock_not_available';
    END IF;
END $$;

CREATE FUNCTION heartbeat(p_frame bigint, p_node text) RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
    v timestamptz;
BEGIN
    PERFORM assert_lease(p_frame, p_node);
    UPDATE frames
       SET lease_until = LEAST(app_now() + lease_time(), started_at + max_attempt_time())
     WHERE id = p_frame RETURNING lease_until INTO v;
    RETURN v;
END $$;

CREATE FUNCTION complete_frame(p_frame bigint, p_node text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM assert_lease(p_frame, p_node);
    UPDATE frames SET state = 'done', lease_until = NULL WHERE id = p_frame;
END $$;

-- The node gives the frame back, for example because it shuts down. This does not count as an attempt.
CREATE FUNCTION release_frame(p_frame bigint, p_node text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM assert_lease(p_frame, p_node);
    UPDATE frames
       SET state = 'queued', node = NULL, lease_until = NULL, started_at = NULL, attempts = attempts - 1
     WHERE id = p_frame;
END $$;

-- Called by cron: takes frames away from nodes that no longer answer.
CREATE FUNCTION reap_leases() RETURNS bigint LANGUAGE sql AS $$
    WITH gone AS (
        UPDATE frames
           SET state = CASE WHEN attempts >= 3 THEN 'failed' ELSE 'queued' END,
               node = NULL, lease_until = NULL
         WHERE state = 'leased' AND lease_until <= app_now()
        RETURNING 1)
    SELECT count(*) FROM gone
$$;

CREATE FUNCTION retry_frame(p_frame bigint) RETURNS void LANGUAGE sql AS $$
    UPDATE frames SET state = 'queued', node = NULL, attempts = 0, started_at = NULL
     WHERE id = p_frame AND state IN ('failed', 'cancelled')
$$;
