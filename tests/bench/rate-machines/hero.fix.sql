CREATE OR REPLACE FUNCTION strike() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    nth integer;
    won integer;
BEGIN
    UPDATE hero SET combo = combo + 1 RETURNING combo INTO nth;
    SELECT points INTO won FROM combo_points WHERE combo_points.strike <= nth ORDER BY combo_points.strike DESC LIMIT 1;
    UPDATE hero SET score = score + won;
    RETURN won;
END $$;
