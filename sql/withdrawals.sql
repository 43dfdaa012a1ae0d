-- Accounts and their movements. Each function is a transaction that several sessions run at the same time: two
-- withdrawals from one account must not both start from the same balance.

CREATE TABLE accounts (
    id      integer PRIMARY KEY,
    balance integer NOT NULL
);

CREATE TABLE movements (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account integer NOT NULL REFERENCES accounts,
    amount  integer NOT NULL
);

-- deposit and withdraw return the new balance.
CREATE FUNCTION deposit(into_account integer, amount integer) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    held integer;
BEGIN
    UPDATE accounts SET balance = balance + amount WHERE id = into_account RETURNING balance INTO STRICT held;
    INSERT INTO movements (account, amount) VALUES (into_account, amount);
    RETURN held;
END
$$;

-- The row is locked when it is read. What another session does to this account comes before the read, or after
-- the commit.
CREATE FUNCTION withdraw(from_account integer, amount integer) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    held integer;
BEGIN
    SELECT balance INTO STRICT held FROM accounts WHERE id = from_account FOR UPDATE;
    IF held < amount THEN
        RAISE 'account % has only %', from_account, held USING ERRCODE = 'P0LOW';
    END IF;
    UPDATE accounts SET balance = held - amount WHERE id = from_account;
    INSERT INTO movements (account, amount) VALUES (from_account, -amount);
    RETURN held - amount;
END
$$;
