CREATE TABLE charges (flat integer NOT NULL, amount integer NOT NULL);
CREATE TABLE payments (flat integer NOT NULL, amount integer NOT NULL);
CREATE FUNCTION due(f integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE owed integer; paid integer;
BEGIN
    SELECT coalesce(sum(amount), 0) INTO owed FROM charges WHERE flat = f;
    SELECT coalesce(sum(amount), 0) INTO paid FROM payments WHERE flat = f;
    RETURN owed - paid;
END $$;
