-- Sealed-bid auctions. A bidder has one bid for a lot, and may raise or withdraw it. The highest bid leads; of
-- equal bids, the one that was placed first. A bid that is raised counts as placed anew.

CREATE SEQUENCE placements;

CREATE TABLE lots (
    id      uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    title   text NOT NULL,
    reserve integer NOT NULL,
    closed  boolean NOT NULL DEFAULT false,
    leader  text,                       -- kept up to date by triggers, like best
    best    integer
);

CREATE TABLE bids (
    lot    uuid NOT NULL REFERENCES lots ON DELETE CASCADE,
    bidder text NOT NULL,
    amount integer NOT NULL CHECK (amount > 0),
    placed bigint NOT NULL DEFAULT nextval('placements'),
    PRIMARY KEY (lot, bidder)
);

CREATE FUNCTION take_the_lead() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lots SET leader = NEW.bidder, best = NEW.amount
     WHERE id = NEW.lot AND (best IS NULL OR NEW.amount > best);
    RETURN NULL;
END $$;

CREATE FUNCTION find_leader() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    b bids;
BEGIN
    SELECT * INTO b FROM bids WHERE lot = OLD.lot ORDER BY amount DESC, placed DESC LIMIT 1;
    UPDATE lots SET leader = b.bidder, best = b.amount WHERE id = OLD.lot AND leader = OLD.bidder;
    RETURN NULL;
END $$;

CREATE TRIGGER take_the_lead AFTER INSERT OR UPDATE ON bids
    FOR EACH ROW EXECUTE FUNCTION take_the_lead();
CREATE TRIGGER find_leader AFTER DELETE ON bids
    FOR EACH ROW EXECUTE FUNCTION find_leader();

-- Returns whether the bid was accepted: the lot is open, and the amount reaches the reserve and is a raise.
CREATE FUNCTION bid(for_lot uuid, by_bidder text, for_amount integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM lots WHERE id = for_lot AND NOT closed AND for_amount >= reserve FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO bids (lot, bidder, amount) VALUES (for_lot, by_bidder, for_amount)
    ON CONFLICT (lot, bidder) DO UPDATE SET amount = EXCLUDED.amount, placed = EXCLUDED.placed
        WHERE bids.amount < EXCLUDED.amount;
    RETURN FOUND;
END $$;

CREATE FUNCTION withdraw(from_lot uuid, by_bidder text) RETURNS void
LANGUAGE sql AS $$
    DELETE FROM bids USING lots
     WHERE lots.id = lot AND NOT closed AND lot = from_lot AND bidder = by_bidder
$$;

CREATE FUNCTION close(old_lot uuid) RETURNS text
LANGUAGE sql AS $$
    UPDATE lots SET closed = true WHERE id = old_lot RETURNING leader
$$;
