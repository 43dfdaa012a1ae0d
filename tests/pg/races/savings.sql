-- An overdraft costs one more, unless the other account covers it.
CREATE TABLE accounts (
    id      text PRIMARY KEY,
    balance integer NOT NULL
);
INSERT INTO accounts VALUES ('checking', 0), ('savings', 0);

CREATE FUNCTION withdraw(amount integer) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    total integer := (SELECT sum(balance) FROM accounts);
BEGIN
    UPDATE accounts SET balance = balance - amount - (total < amount)::integer WHERE id = 'checking';
END
$$;
