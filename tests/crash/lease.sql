-- Whoever holds a lease may take it again.
CREATE TABLE leases (shard integer PRIMARY KEY, worker text);
INSERT INTO leases SELECT generate_series(1, 3);
CREATE FUNCTION take(wanted integer, who text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE leases SET worker = who WHERE shard = wanted AND coalesce(worker, who) = who;
    RETURN FOUND;
END $$;
CREATE FUNCTION give(held integer, who text) RETURNS void LANGUAGE sql AS $$
    UPDATE leases SET worker = NULL WHERE shard = held AND worker = who
$$;
