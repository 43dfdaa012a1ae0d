-- A deposit that another session can make undone.
SET search_path = pg_catalog;
CREATE SCHEMA app;
CREATE TABLE app.account (id int4 PRIMARY KEY, balance int4 NOT NULL);
INSERT INTO app.account VALUES (1, 0);
CREATE FUNCTION app.deposit(amount int4) RETURNS int4 LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    held int4 := (SELECT balance FROM app.account WHERE id = 1);
BEGIN
    UPDATE app.account SET balance = held + amount WHERE id = 1;
    RETURN held + amount;
END $$;
