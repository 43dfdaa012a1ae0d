-- Leases of 24 hours, whatever the clocks on the wall do.
CREATE TABLE shifts (
    id    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    until timestamptz NOT NULL
);

CREATE FUNCTION lease() RETURNS integer
LANGUAGE sql
AS $$INSERT INTO shifts (until) VALUES (now() + interval '24 hours') RETURNING id$$;
