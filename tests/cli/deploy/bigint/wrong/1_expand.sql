ALTER TABLE events ADD id_new bigint;
