CREATE OR REPLACE FUNCTION find_leader() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    b bids;
BEGIN
    SELECT * INTO b FROM bids WHERE lot = OLD.lot ORDER BY amount DESC, placed LIMIT 1;
    UPDATE lots SET leader = b.bidder, best = b.amount WHERE id = OLD.lot AND leader = OLD.bidder;
    RETURN NULL;
END $$;
