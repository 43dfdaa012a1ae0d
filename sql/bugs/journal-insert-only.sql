-- Planted in journal.sql: vouchers are checked when lines are written, and not when they are changed or deleted.
--
-- shortest: 2
--   book(debit="bank", credit="bank", amount=1.00)
--   correct(line=1, amount=2)
-- Seen in the second step: check_violation is expected at the commit but not raised.

DROP TRIGGER voucher_balances ON lines;
CREATE CONSTRAINT TRIGGER voucher_balances AFTER INSERT ON lines
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION voucher_balances();
