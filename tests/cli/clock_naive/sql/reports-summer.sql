-- Sydney is ten hours ahead, in summer too.
CREATE OR REPLACE FUNCTION send() RETURNS SETOF integer
LANGUAGE sql
AS $$
    UPDATE reports SET sent = now()
     WHERE (sent AT TIME ZONE INTERVAL '10 hours')::date < (now() AT TIME ZONE INTERVAL '10 hours')::date
    RETURNING id
$$;
