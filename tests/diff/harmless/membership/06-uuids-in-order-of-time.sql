-- Makes the ids of users and projects by a function, as UUIDs of version 7. Harmless: an id is still unique and opaque.

CREATE FUNCTION uuid_of_now() RETURNS uuid
LANGUAGE sql VOLATILE
AS $$
    SELECT encode(
        set_bit(
            set_bit(
                overlay(uuid_send(gen_random_uuid())
                    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                    FROM 1 FOR 6),
                52, 1),
            53, 1),
        'hex')::uuid
$$;

ALTER TABLE users ALTER COLUMN id SET DEFAULT uuid_of_now();
ALTER TABLE projects ALTER COLUMN id SET DEFAULT uuid_of_now();
