ALTER TABLE printer ADD COLUMN before_service printer_state;

CREATE OR REPLACE FUNCTION resume(which text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE printer SET state = before, before = NULL WHERE name = which AND state = 'paused';
    RETURN FOUND;
END $$;

CREATE OR REPLACE FUNCTION begin_service(which text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE printer SET before_service = state, state = 'service' WHERE name = which AND state <> 'service';
    RETURN FOUND;
END $$;

CREATE OR REPLACE FUNCTION end_service(which text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE printer SET state = before_service, before_service = NULL WHERE name = which AND state = 'service';
    RETURN FOUND;
END $$;
