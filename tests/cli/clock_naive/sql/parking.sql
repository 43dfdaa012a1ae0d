-- A car park. Each hour begun costs two euros, but a day never more than 20.
CREATE TABLE cars (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    came timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION fee(car integer) RETURNS integer
LANGUAGE sql
AS $$
    SELECT 20 * d.days + least(20, 2 * ceil(s.seconds / 3600 - 24 * d.days)::integer)
      FROM cars, LATERAL (SELECT extract(epoch FROM now() - came) AS seconds) AS s,
           LATERAL (SELECT floor(s.seconds / 86400)::integer AS days) AS d
     WHERE id = car
$$;
