CREATE OR REPLACE FUNCTION restore_document(document integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE documents SET trashed = false WHERE id = document AND trashed;
    RETURN FOUND;
END $$;
