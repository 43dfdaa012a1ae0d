-- Planted in journal.sql: the check is not deferred. A voucher whose lines are written by several statements is
-- refused at the first of them.
--
-- shortest: 1
--   book_lines(first=1, second=1, third=-2)
-- Seen in the first step: an error that is not expected.

DROP TRIGGER voucher_balances ON lines;
CREATE CONSTRAINT TRIGGER voucher_balances AFTER INSERT OR UPDATE OR DELETE ON lines
    NOT DEFERRABLE
    FOR EACH ROW EXECUTE FUNCTION voucher_balances();
