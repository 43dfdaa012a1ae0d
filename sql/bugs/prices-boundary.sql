-- Planted in prices.sql: a price is valid up to and including the moment in which the next one begins.
--
-- shortest: 2
--   set_price(product=1, price=0.00)
--   look(product=1, which=0)
-- Seen in the second step: the price is not yet there in its first moment.

CREATE OR REPLACE FUNCTION price_at(product int, moment timestamptz) RETURNS numeric
LANGUAGE sql STABLE
AS $$
    SELECT p.price FROM prices p WHERE p.product = price_at.product AND p.since < moment AND moment <= p.until
$$;
