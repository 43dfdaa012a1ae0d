-- A coupon on each birthday. Who was born on a leap day has it on 28 February in other years.
CREATE TABLE customers (
    id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    born date NOT NULL
);

CREATE FUNCTION celebrates(born date) RETURNS boolean
LANGUAGE sql
AS $$
    SELECT (born + make_interval(years => (extract(year FROM current_date) - extract(year FROM born))::integer))::date
           = current_date
$$;
