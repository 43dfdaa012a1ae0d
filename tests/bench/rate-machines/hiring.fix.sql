CREATE OR REPLACE TRIGGER fill_opening AFTER UPDATE OF state ON applications
FOR EACH ROW WHEN (OLD.state <> 'hired' AND NEW.state = 'hired') EXECUTE FUNCTION fill_opening();
