-- The frontier of a crawler: URLs that workers lease, fetch and finish.
CREATE TABLE app_clock (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    now_s     integer NOT NULL DEFAULT 0
);
INSERT INTO app_clock DEFAULT VALUES;

CREATE FUNCTION clock_s() RETURNS integer LANGUAGE sql STABLE AS 'SELECT now_s FROM app_clock';

CREATE TABLE url (
    id          integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host        text NOT NULL,
    status      text NOT NULL DEFAULT 'queued'
                CHECK (status IN ('queued', 'leased', 'done', 'dead')),
    not_before  integer NOT NULL DEFAULT 0,
    attempt     integer NOT NULL DEFAULT 0,
    retries     integer NOT NULL DEFAULT 0,
    leased_by   text,
    lease_until integer,
    CHECK ((status = 'leased') = (leased_by IS NOT NULL)),
    CHECK ((leased_by IS NULL) = (lease_until IS NULL))
);

-- Gives the attempt number (the fencing token), or no row if the URL is not available.
CREATE FUNCTION claim(p_url integer, p_worker text, p_ttl integer) RETURNS SETOF integer
LANGUAGE sql AS $$
    UPDATE url
    SET status = 'leased', leased_by = p_worker, lease_until = clock_s() + p_ttl, attempt = attempt + 1
    WHERE id = p_url
      AND (status = 'queued' AND not_before <= clock_s()
           OR status = 'leased' AND lease_until <= clock_s())
    RETURNING attempt
$$;

CREATE FUNCTION heartbeat(p_url integer, p_worker text, p_attempt integer, p_ttl integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE url SET lease_until = GREATEST(lease_until, clock_s() + p_ttl)
    WHERE id = p_url AND status = 'leased' AND leased_by = p_worker AND attempt = p_attempt
      AND lease_until > clock_s();
    RETURN FOUND;
END $$;

CREATE FUNCTION finish(p_url integer, p_worker text, p_attempt integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE url SET status = 'done', leased_by = NULL, lease_until = NULL
    WHERE id = p_url AND status = 'leased' AND leased_by = p_worker
      AND lease_until > clock_s();
    RETURN FOUND;
END $$;

CREATE FUNCTION give_up(p_url integer, p_worker text, p_attempt integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE url
    SET status = CASE WHEN retries >= 3 THEN 'dead' ELSE 'queued' END,
        not_before = clock_s() + 10 * attempt, retries = retries + 1, leased_by = NULL, lease_until = NULL
    WHERE id = p_url AND status = 'leased' AND leased_by = p_worker AND attempt = p_attempt
      AND lease_until > clock_s();
    RETURN FOUND;
END $$;

-- Puts back what crashed workers hold.
CREATE FUNCTION reap() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE n integer;
BEGIN
    UPDATE url
    SET status = CASE WHEN retries >= 3 THEN 'dead' ELSE 'queued' END,
        retries = retries + 1, leased_by = NULL, lease_until = NULL
    WHERE status = 'leased' AND lease_until <= clock_s();
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;

CREATE FUNCTION requeue_dead(p_host text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE n integer;
BEGIN
    UPDATE url SET status = 'queued', retries = 0, not_before = clock_s()
    WHERE host = p_host AND status = 'dead';
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n;
END $$;
