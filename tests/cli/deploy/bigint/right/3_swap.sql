DROP TRIGGER copy_id ON events;
ALTER TABLE events ALTER id_new SET NOT NULL;
ALTER TABLE events DROP CONSTRAINT events_pkey;
ALTER TABLE events ADD PRIMARY KEY (id_new);
ALTER SEQUENCE events_id_seq OWNED BY events.id_new;
ALTER TABLE events ALTER id_new SET DEFAULT nextval('events_id_seq'), ALTER id DROP DEFAULT;
ALTER TABLE events DROP COLUMN id;
ALTER TABLE events RENAME id_new TO id;
