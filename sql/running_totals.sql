-- Sales, and their totals by region, which triggers maintain so that readers need not add up every sale. To
-- stay correct, an update always takes the old row out of the totals and puts the new row in, whichever column
-- has changed. Writers take turns, because the largest sale of a region is looked up among all its sales, and a
-- sale that somebody else has not committed yet can't be seen.

CREATE TABLE sales (
    id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    region text NOT NULL,
    amount numeric(12, 2) NOT NULL CHECK (amount > 0)
);

CREATE INDEX ON sales (region, amount);

CREATE TABLE region_totals (                         -- only regions that have sales
    region  text PRIMARY KEY,
    sales   integer NOT NULL CHECK (sales > 0),
    total   numeric(20, 2) NOT NULL,
    largest numeric(12, 2) NOT NULL
);

CREATE FUNCTION take_out(sale sales) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM region_totals WHERE region = sale.region AND sales = 1;
    IF FOUND THEN
        RETURN;
    END IF;
    UPDATE region_totals
       SET sales = sales - 1,
           total = total - sale.amount,
           largest = coalesce((SELECT max(amount) FROM sales WHERE region = sale.region), largest)
     WHERE region = sale.region;
END
$$;

CREATE FUNCTION put_in(sale sales) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO region_totals AS t VALUES (sale.region, 1, sale.amount, sale.amount)
    ON CONFLICT (region) DO UPDATE
       SET sales = t.sales + 1,
           total = t.total + EXCLUDED.total,
           largest = greatest(t.largest, EXCLUDED.largest)
$$;

CREATE FUNCTION keep_totals() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    LOCK TABLE region_totals IN SHARE ROW EXCLUSIVE MODE;
    IF TG_OP <> 'INSERT' THEN
        PERFORM take_out(OLD);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM put_in(NEW);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER keep_totals AFTER INSERT OR UPDATE OR DELETE ON sales
    FOR EACH ROW EXECUTE FUNCTION keep_totals();

-- TRUNCATE does not fire row-level triggers.
CREATE FUNCTION clear_totals() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM region_totals;
    RETURN NULL;
END
$$;

CREATE TRIGGER clear_totals AFTER TRUNCATE ON sales
    FOR EACH STATEMENT EXECUTE FUNCTION clear_totals();
