-- The end is exclusive after midnight, too.
CREATE OR REPLACE FUNCTION in_window(p_from integer, p_to integer, p_hour integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_from < p_to THEN p_hour >= p_from AND p_hour < p_to
                ELSE p_hour >= p_from OR p_hour < p_to END
$$;
