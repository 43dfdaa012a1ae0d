-- Reservations of seats in a train, from one stop to another. A seat may change hands at a stop, but two reservations of a seat
-- must not overlap. An exclusion constraint ensures this, also for reservations that are made at the same time.

CREATE TABLE reservations (
    seat      integer NOT NULL,
    stops     int4range NOT NULL CONSTRAINT on_the_way CHECK (NOT isempty(stops)),
    passenger text NOT NULL,
    -- The seat is a range of one number, because GiST compares integers only with the extension btree_gist.
    CONSTRAINT no_overlap EXCLUDE USING gist (int4range(seat, seat, '[]') WITH &&, stops WITH &&)
);

CREATE FUNCTION reserve(a_seat integer, from_stop integer, to_stop integer, who text) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO reservations VALUES (a_seat, int4range(from_stop, to_stop), who);
END
$$;
