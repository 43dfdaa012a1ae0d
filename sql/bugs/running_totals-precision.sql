-- Planted in running_totals.sql: the total so far is read into a variable of type integer. PL/pgSQL silently
-- rounds the value, and with it the cents of all earlier sales.
--
-- shortest: 2
--   sales_1 = sell(region="north", amount=0.99)
--   sell(region="north", amount=0.99)
-- Seen by the invariant `totals`: the total is 1.99 instead of 1.98.

CREATE OR REPLACE FUNCTION put_in(sale sales) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    so_far integer;
BEGIN
    SELECT total INTO so_far FROM region_totals WHERE region = sale.region FOR UPDATE;
    IF NOT FOUND THEN
        INSERT INTO region_totals VALUES (sale.region, 1, sale.amount, sale.amount);
        RETURN;
    END IF;
    UPDATE region_totals
       SET sales = sales + 1,
           total = so_far + sale.amount,
           largest = greatest(largest, sale.amount)
     WHERE region = sale.region;
END
$$;
