-- Writes the body of lease as an expression, with other attributes. Harmless: it is the same time.

CREATE OR REPLACE FUNCTION lease() RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1
RETURN make_interval(secs => 30);
