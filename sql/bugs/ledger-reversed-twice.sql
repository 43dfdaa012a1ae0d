-- Planted in ledger.sql: the constraint allows one reversal of a transfer per day. It can be reversed again on
-- another day.
--
-- shortest: 3
--   booked_1 = transfer(sender=accounts_1, receiver=accounts_1, amount=0.01, day="2024-02-26")
--   booked_2 = reverse(transfer=booked_1, day="2024-02-26")
--   reverse(transfer=booked_1, day="2024-02-27")
-- Seen in the third step: unique_violation is expected but not raised.

ALTER TABLE transfers DROP CONSTRAINT reversed_once;
ALTER TABLE transfers ADD CONSTRAINT reversed_once UNIQUE (reverses, booked_on);
