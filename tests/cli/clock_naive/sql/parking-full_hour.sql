-- After exactly an hour, a second one has begun.
CREATE OR REPLACE FUNCTION fee(car integer) RETURNS integer
LANGUAGE sql
AS $$
    SELECT 20 * d.days + CASE WHEN s.seconds = 86400 * d.days THEN 0 ELSE
                             least(20, 2 * (1 + floor(s.seconds / 3600 - 24 * d.days)::integer)) END
      FROM cars, LATERAL (SELECT extract(epoch FROM now() - came) AS seconds) AS s,
           LATERAL (SELECT floor(s.seconds / 86400)::integer AS days) AS d
     WHERE id = car
$$;
