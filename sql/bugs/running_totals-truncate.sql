-- Planted in running_totals.sql: the trigger is there for every row that is deleted. TRUNCATE deletes no rows,
-- and the totals stay.
--
-- shortest: 2
--   sell(region="north", amount=0.99)
--   truncate()
-- Seen by the invariant `totals`: no rows are expected, and one is left.

DROP TRIGGER clear_totals ON sales;
