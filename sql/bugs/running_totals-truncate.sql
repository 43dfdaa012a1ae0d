-- Planted in running_totals.sql: there is only a row-level trigger, which TRUNCATE does not fire, so the totals
-- remain.
--
-- shortest: 2
--   sell(region="north", amount=0.99)
--   truncate()
-- Seen by the invariant `totals`: no rows are expected, but one is left.

DROP TRIGGER clear_totals ON sales;
