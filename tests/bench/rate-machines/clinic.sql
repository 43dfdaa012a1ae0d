-- Visits at a clinic. Requests may overlap; confirmed visits may not: neither for a doctor nor in a room.
-- A remote visit (by video) needs no room.

CREATE TYPE visit_state AS ENUM ('requested', 'confirmed', 'cancelled');
CREATE TYPE visit_kind AS ENUM ('first', 'control', 'vaccination', 'advice');

CREATE TABLE visits (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    patient  text NOT NULL,
    doctor   integer NOT NULL,
    room     integer,
    starts   timestamp NOT NULL,
    minutes  integer NOT NULL CHECK (minutes BETWEEN 10 AND 120),
    kind     visit_kind NOT NULL,
    remote   boolean NOT NULL,
    language text,
    state    visit_state NOT NULL DEFAULT 'requested',
    during   tsrange NOT NULL GENERATED ALWAYS AS
             (tsrange(starts, starts + minutes * interval '1 minute')) STORED,
    CONSTRAINT room_unless_remote CHECK ((room IS NULL) = remote),
    CONSTRAINT needle_on_site CHECK (kind <> 'vaccination' OR NOT remote),
    CONSTRAINT doctor_free EXCLUDE USING gist (int4range(doctor, doctor, '[]') WITH &&, during WITH &&)
        WHERE (state = 'confirmed' AND NOT remote),
    CONSTRAINT room_free EXCLUDE USING gist (int4range(room, room, '[]') WITH &&, during WITH &&)
        WHERE (state = 'confirmed' AND NOT remote)
);

CREATE VIEW agenda AS
SELECT doctor, starts::date AS day, starts::time AS at, patient, room
  FROM visits WHERE state = 'confirmed';
