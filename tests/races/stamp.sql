CREATE TABLE ledger (id integer GENERATED ALWAYS AS IDENTITY, points integer NOT NULL, gold boolean);
CREATE FUNCTION spend(n integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE s integer;
BEGIN
    SELECT coalesce(sum(points), 0) INTO s FROM ledger;
    INSERT INTO ledger (points, gold) VALUES (-n, s >= 12);
END $$;
