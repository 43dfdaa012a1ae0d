-- The default of a project's id is evaluated once, by the migration: the second project gets the same UUID.
-- shortest: 2 requests
--   INSERT INTO projects (name) VALUES ('a')
--   INSERT INTO projects (name) VALUES ('b')
-- The id differs by nature: only the second one shows that it is used twice.

DO $$
BEGIN
    EXECUTE format('ALTER TABLE projects ALTER COLUMN id SET DEFAULT %L', gen_random_uuid());
END
$$;
