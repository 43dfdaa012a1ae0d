-- Planted in journal.sql: the lines that the transaction wrote itself must balance. A correction of an earlier
-- voucher changes no such line.
--
-- shortest: 2
--   book(debit="bank", credit="bank", amount=1.00)
--   correct(line=1, amount=2)
-- Seen in the second step: check_violation is expected at the commit but not raised.

CREATE OR REPLACE FUNCTION voucher_balances() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF (SELECT sum(amount) FROM lines WHERE voucher = pg_current_xact_id()) <> 0 THEN
        RAISE check_violation USING MESSAGE = 'the voucher does not balance', CONSTRAINT = 'voucher_balances';
    END IF;
    RETURN NULL;
END
$$;
