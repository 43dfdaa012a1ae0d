-- The count follows the rows, whatever the status.
CREATE OR REPLACE FUNCTION signature_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE petitions SET signature_count = signature_count - 1 WHERE id = OLD.petition_id;
    RETURN NULL;
END $$;
