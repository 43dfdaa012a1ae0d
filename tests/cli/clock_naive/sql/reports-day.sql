-- A day has passed after 24 hours.
CREATE OR REPLACE FUNCTION send() RETURNS SETOF integer
LANGUAGE sql
AS $$UPDATE reports SET sent = now() WHERE sent <= now() - interval '24 hours' RETURNING id$$;
