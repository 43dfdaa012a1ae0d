CREATE OR REPLACE FUNCTION redeem(c integer, amount integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE here boolean;
BEGIN
    SELECT active INTO here FROM campaigns WHERE id = c;
    IF here THEN INSERT INTO redeemed VALUES (c, amount); END IF;
END $$;
