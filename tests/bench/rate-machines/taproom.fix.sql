CREATE OR REPLACE FUNCTION disconnect(tap tap_no) RETURNS void
LANGUAGE sql AS $$
    UPDATE taps SET beer = NULL, parked = NULL WHERE no = tap
$$;
