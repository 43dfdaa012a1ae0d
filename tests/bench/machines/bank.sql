-- The transfer reads both balances before it writes either, so a transfer to the same account creates money.
-- Shortest: open, deposit 1, transfer 1 to oneself (3).
CREATE TABLE accounts (
    id      int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0)
);

CREATE FUNCTION transfer(source int, destination int, amount bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    source_balance      bigint := (SELECT balance FROM accounts WHERE id = source);
    destination_balance bigint := (SELECT balance FROM accounts WHERE id = destination);
BEGIN
    UPDATE accounts SET balance = source_balance - amount WHERE id = source;
    UPDATE accounts SET balance = destination_balance + amount WHERE id = destination;
END $$;
