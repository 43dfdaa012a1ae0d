CREATE OR REPLACE FUNCTION check_paid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM bill WHERE visit_id = NEW.id AND NOT paid) THEN
        RAISE EXCEPTION 'table % has not paid', NEW.table_no USING ERRCODE = 'RT002';
    END IF;
    RETURN NEW;
END $$;
