CREATE TABLE saldo (kind text PRIMARY KEY, amount integer NOT NULL);
INSERT INTO saldo VALUES ('x', 0), ('y', 0);
CREATE FUNCTION take(n integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE s integer;
BEGIN
    SELECT sum(amount) INTO s FROM saldo;
    UPDATE saldo SET amount = amount - n - CASE WHEN s < n THEN 1 ELSE 0 END WHERE kind = 'x';
END $$;
