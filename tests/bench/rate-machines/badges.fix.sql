CREATE OR REPLACE FUNCTION count_badge() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    whose text := CASE WHEN TG_OP = 'DELETE' THEN OLD.member ELSE NEW.member END;
BEGIN
    UPDATE members
       SET badge = (SELECT count(*) FROM (SELECT FROM notifications WHERE member = whose AND NOT read LIMIT 5) AS n)
     WHERE name = whose;
    RETURN NULL;
END $$;
