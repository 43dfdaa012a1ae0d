ALTER TABLE links RENAME organisation TO company;
UPDATE links SET kind = 'company' WHERE kind = 'organisation';
CREATE OR REPLACE FUNCTION note_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO activity VALUES (NEW.company) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
