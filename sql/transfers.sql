-- Transfers between accounts, which lock two rows each. All transfers lock them in one order, that of their ids: otherwise two
-- transfers in opposite directions each wait for the other's row, and PostgreSQL ends one of them with `deadlock detected`.

CREATE TABLE accounts (
    id      integer PRIMARY KEY,
    balance integer NOT NULL CONSTRAINT covered CHECK (balance >= 0)
);

CREATE FUNCTION transfer(from_account integer, to_account integer, amount integer) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM accounts WHERE id IN (from_account, to_account) ORDER BY id FOR UPDATE;
    UPDATE accounts SET balance = balance - amount WHERE id = from_account;
    UPDATE accounts SET balance = balance + amount WHERE id = to_account;
END
$$;
