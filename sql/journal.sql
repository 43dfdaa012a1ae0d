-- A journal: what one transaction writes is a voucher, and the amounts of a voucher add up to zero. A program writes
-- the lines of a voucher one by one, so that is checked when it commits. A correction writes to an earlier voucher.

CREATE TABLE accounts (
    name text PRIMARY KEY
);
INSERT INTO accounts VALUES ('bank'), ('rent'), ('wages');

CREATE TABLE lines (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    voucher xid8 NOT NULL DEFAULT pg_current_xact_id(),    -- the transaction that wrote it first
    account text NOT NULL REFERENCES accounts,
    amount  numeric(12, 2) NOT NULL CONSTRAINT amount_is_not_zero CHECK (amount <> 0)
);

CREATE INDEX ON lines (voucher);

-- Runs once for each line that was written, with all that the transaction wrote. A line may have moved from one
-- voucher to another.
CREATE FUNCTION voucher_balances() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF EXISTS (SELECT FROM lines WHERE voucher IN (OLD.voucher, NEW.voucher) GROUP BY voucher HAVING sum(amount) <> 0) THEN
        RAISE check_violation USING MESSAGE = 'the voucher does not balance', CONSTRAINT = 'voucher_balances';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER voucher_balances AFTER INSERT OR UPDATE OR DELETE ON lines
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION voucher_balances();
