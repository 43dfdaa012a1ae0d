-- Passes for one day: bought at half past eight, a pass holds until half past eight of the next day.
CREATE TABLE passes (
    id    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    until timestamptz NOT NULL
          DEFAULT ((now() AT TIME ZONE 'Europe/London' + interval '1 day') AT TIME ZONE 'Europe/London')
);
