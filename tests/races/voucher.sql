CREATE TABLE campaigns (id integer PRIMARY KEY, active boolean NOT NULL DEFAULT true, result integer);
INSERT INTO campaigns VALUES (1), (2);
CREATE TABLE redeemed (campaign integer NOT NULL, amount integer NOT NULL);
CREATE FUNCTION redeem(c integer, amount integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE here boolean;
BEGIN
    SELECT active INTO here FROM campaigns WHERE id = c FOR SHARE;
    IF here THEN INSERT INTO redeemed VALUES (c, amount); END IF;
END $$;
CREATE FUNCTION finish(c integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE campaigns SET active = false WHERE id = c;
END $$;
CREATE FUNCTION total(c integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE campaigns SET result = (SELECT coalesce(sum(amount), 0) FROM redeemed WHERE campaign = c) WHERE id = c AND NOT active;
END $$;
