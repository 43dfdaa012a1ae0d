CREATE OR REPLACE FUNCTION points(level integer) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN level > 1 THEN 10 * (3 ^ (level - 2))::integer ELSE 0 END
$$;
