-- Rooms of a conference centre. How many people fit depends on the room and on how it is furnished.

CREATE TABLE rooms (
    name text PRIMARY KEY,
    size integer NOT NULL                        -- seats in rows
);

CREATE TABLE layouts (
    name    text PRIMARY KEY,
    percent integer NOT NULL                     -- of the seats in rows
);

INSERT INTO rooms VALUES ('amber', 18), ('birch', 35), ('cedar', 64), ('delta', 110), ('ebony', 242);
INSERT INTO layouts VALUES ('rows', 100), ('classroom', 60), ('banquet', 75), ('board', 35);

CREATE TABLE bookings (
    id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room     text NOT NULL REFERENCES rooms,
    day      date NOT NULL,
    slot     text NOT NULL CHECK (slot IN ('morning', 'afternoon', 'evening')),
    layout   text NOT NULL REFERENCES layouts,
    people   integer NOT NULL,
    title    text NOT NULL,
    catering boolean NOT NULL,
    CONSTRAINT one_at_a_time UNIQUE (room, day, slot)
);

-- The seats, rounded to the nearest whole number.
CREATE FUNCTION seats(the_room text, the_layout text) RETURNS integer
LANGUAGE sql STABLE AS $$
    SELECT r.size * l.percent / 100 FROM rooms AS r, layouts AS l WHERE r.name = the_room AND l.name = the_layout
$$;

CREATE FUNCTION check_seats() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.people > seats(NEW.room, NEW.layout) THEN
        RAISE EXCEPTION '% people do not fit', NEW.people;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER check_seats BEFORE INSERT OR UPDATE ON bookings FOR EACH ROW EXECUTE FUNCTION check_seats();
