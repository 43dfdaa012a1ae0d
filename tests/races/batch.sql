CREATE TABLE control (batch integer NOT NULL);
INSERT INTO control VALUES (1);
CREATE TABLE receipts (batch integer NOT NULL, amount integer NOT NULL);
CREATE FUNCTION receipt(amount integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE now_batch integer := (SELECT batch FROM control);
BEGIN
    INSERT INTO receipts VALUES (now_batch, amount);
END $$;
