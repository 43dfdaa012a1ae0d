CREATE OR REPLACE FUNCTION brew(what text) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT count(*) FROM brewed WHERE NOT cleaned) >= 8 THEN
        RAISE EXCEPTION 'clean me' USING ERRCODE = 'CM001';
    END IF;
    INSERT INTO brewed (drink) VALUES (what);
    RETURN (SELECT count(*) FROM brewed);
END $$;
