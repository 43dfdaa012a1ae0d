CREATE TABLE accounts (
    id      integer PRIMARY KEY,
    balance integer NOT NULL CHECK (balance >= 0)
);
INSERT INTO accounts SELECT n, 100 FROM generate_series(0, 2) AS n;

CREATE FUNCTION transfer(payer integer, payee integer, amount integer) RETURNS void LANGUAGE sql AS $$
    UPDATE accounts SET balance = balance - amount WHERE id = payer;
    UPDATE accounts SET balance = balance + amount WHERE id = payee;
$$;
