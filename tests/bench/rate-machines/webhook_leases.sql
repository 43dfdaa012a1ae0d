-- Outgoing webhooks: workers lease deliveries for 30 seconds and report how they went.
CREATE TABLE clock (now_s integer NOT NULL);
INSERT INTO clock VALUES (0);

CREATE FUNCTION clock_now() RETURNS integer LANGUAGE sql STABLE AS $$ SELECT now_s FROM clock $$;

CREATE TABLE workers (
    name text PRIMARY KEY
);
INSERT INTO workers VALUES ('w1'), ('w2'), ('w3');

CREATE TABLE deliveries (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint   text NOT NULL,
    state      text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'leased', 'sent', 'dead', 'cancelled')),
    attempts   integer NOT NULL DEFAULT 0,
    run_at     integer NOT NULL DEFAULT clock_now(),
    worker     text REFERENCES workers,
    expires_at integer,
    CHECK ((state = 'leased') = (worker IS NOT NULL AND expires_at IS NOT NULL))
);

CREATE TABLE leases (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery bigint NOT NULL REFERENCES deliveries,
    worker   text NOT NULL REFERENCES workers,
    taken_at integer NOT NULL DEFAULT clock_now()
);

CREATE FUNCTION enqueue(p_endpoint text, p_delay integer) RETURNS bigint
LANGUAGE sql AS $$
    INSERT INTO deliveries (endpoint, run_at) VALUES (p_endpoint, clock_now() + p_delay) RETURNING id
$$;

-- The oldest delivery that is due, or whose worker was not heard of in time.
CREATE FUNCTION claim(p_worker text) RETURNS TABLE (lease bigint, delivery bigint)
LANGUAGE plpgsql AS $$
DECLARE
    v_delivery bigint;
BEGIN
    SELECT d.id INTO v_delivery FROM deliveries d
    WHERE (d.state = 'pending' AND d.run_at <= clock_now())
       OR (d.state = 'leased' AND d.expires_at <= clock_now())
    ORDER BY d.id
    LIMIT 1
    FOR UPDATE SKIP LOCKED;
    IF v_delivery IS NULL THEN
        RETURN;
    END IF;
    UPDATE deliveries SET state = 'leased', worker = p_worker, attempts = attempts + 1,
                          expires_at = clock_now() + 30
    WHERE id = v_delivery;
    RETURN QUERY INSERT INTO leases (delivery, worker) VALUES (v_delivery, p_worker)
                 RETURNING leases.id, leases.delivery;
END $$;

-- The delivery of a lease, if its worker still holds it.
CREATE FUNCTION held(p_lease bigint) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT d.id FROM leases l JOIN deliveries d ON d.id = l.delivery
    WHERE l.id = p_lease
      AND d.state = 'leased' AND d.worker = l.worker AND d.expires_at > clock_now()
$$;

CREATE FUNCTION heartbeat(p_lease bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE deliveries SET expires_at = clock_now() + 30 WHERE id = held(p_lease);
    RETURN FOUND;
END $$;

CREATE FUNCTION complete(p_lease bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE deliveries SET state = 'sent', worker = NULL, expires_at = NULL WHERE id = held(p_lease);
    RETURN FOUND;
END $$;

-- Three attempts, each after a longer pause.
CREATE FUNCTION fail(p_lease bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE deliveries SET state = CASE WHEN attempts >= 3 THEN 'dead' ELSE 'pending' END,
                          run_at = clock_now() + 10 * attempts,
                          worker = NULL, expires_at = NULL
    WHERE id = held(p_lease);
    RETURN FOUND;
END $$;

CREATE FUNCTION cancel(p_delivery bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE deliveries SET state = 'cancelled', worker = NULL, expires_at = NULL
    WHERE id = p_delivery AND state IN ('pending', 'leased');
    RETURN FOUND;
END $$;
