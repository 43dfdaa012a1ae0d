-- Reports that are sent once a day, in the morning or in the evening.
CREATE TABLE reports (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sent timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION send() RETURNS SETOF integer
LANGUAGE sql
AS $$
    UPDATE reports SET sent = now()
     WHERE (sent AT TIME ZONE 'Australia/Sydney')::date < (now() AT TIME ZONE 'Australia/Sydney')::date
    RETURNING id
$$;
