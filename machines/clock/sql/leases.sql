-- Jobs that a worker leases for half a minute, and that wait for longer after each failure. The time is that of now().

CREATE TABLE jobs (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    attempts     integer NOT NULL DEFAULT 0,
    run_at       timestamptz NOT NULL DEFAULT now(),
    leased_until timestamptz,
    done         boolean NOT NULL DEFAULT false
);

-- A lease that ends now is over.
CREATE FUNCTION claim() RETURNS bigint
LANGUAGE sql
AS $$
    UPDATE jobs
       SET attempts = attempts + 1, leased_until = now() + interval '30 seconds'
     WHERE id = (SELECT id FROM jobs
                  WHERE NOT done AND run_at <= now() AND (leased_until IS NULL OR leased_until <= now())
                  ORDER BY run_at, id
                  LIMIT 1
                  FOR UPDATE SKIP LOCKED)
    RETURNING id
$$;

-- NULL if the worker has come too late.
CREATE FUNCTION finish(job bigint) RETURNS boolean
LANGUAGE sql
AS $$
    UPDATE jobs SET done = true WHERE id = job AND NOT done AND leased_until > now() RETURNING true
$$;

-- Ten seconds after the first failure, twenty after the second, and so on.
CREATE FUNCTION give_up(job bigint) RETURNS boolean
LANGUAGE sql
AS $$
    UPDATE jobs
       SET leased_until = NULL, run_at = now() + interval '10 seconds' * 2 ^ (attempts - 1)
     WHERE id = job AND NOT done AND leased_until > now()
    RETURNING true
$$;
