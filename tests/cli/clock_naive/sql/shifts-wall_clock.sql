-- A day is an hour shorter or longer when the clocks change.
CREATE OR REPLACE FUNCTION lease() RETURNS integer
LANGUAGE sql
AS $$INSERT INTO shifts (until) VALUES (now() + interval '1 day') RETURNING id$$;
