CREATE TABLE lots (id integer PRIMARY KEY, price integer NOT NULL, sold_at integer);
INSERT INTO lots SELECT i, 10, NULL FROM generate_series(1, 3) AS i;
CREATE TABLE discount (percent integer NOT NULL);
INSERT INTO discount VALUES (0);
CREATE FUNCTION sell(lot integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE off integer;
BEGIN
    SELECT percent INTO off FROM discount;
    UPDATE lots SET sold_at = price - off WHERE id = lot AND sold_at IS NULL;
END $$;
