-- Splits the trigger that keeps booked entries into one for each event. Harmless: every statement that was refused still is.

DROP TRIGGER stays ON entries;
CREATE TRIGGER stays_unchanged BEFORE UPDATE OF amount, booked_on, account_id, transfer_id ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER stays_there BEFORE DELETE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse();
CREATE TRIGGER stays_complete BEFORE TRUNCATE ON entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse();
