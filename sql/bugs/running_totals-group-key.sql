-- Planted in running_totals.sql: an update adds the difference of the amounts to the total of the row's new
-- region. If the region itself has changed, the sale is not moved from the old total to the new one.
--
-- shortest: 2
--   sales_1 = sell(region="north", amount=0.99)
--   move(sale=sales_1, region="south")
-- Seen by the invariant `totals`: the sale still counts for the old region.

CREATE OR REPLACE FUNCTION keep_totals() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        UPDATE region_totals
           SET total = total + NEW.amount - OLD.amount,
               largest = (SELECT max(amount) FROM sales WHERE region = NEW.region)
         WHERE region = NEW.region;
        RETURN NULL;
    END IF;
    IF TG_OP = 'INSERT' THEN
        PERFORM put_in(NEW);
    ELSE
        PERFORM take_out(OLD);
    END IF;
    RETURN NULL;
END
$$;
