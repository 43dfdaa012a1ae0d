CREATE OR REPLACE FUNCTION publish_rate(p_rate bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    r rates;
BEGIN
    SELECT * INTO r FROM rates WHERE id = p_rate FOR UPDATE;
    IF r.status <> 'draft' THEN
        RAISE EXCEPTION 'rate % is not a draft', p_rate;
    END IF;
    UPDATE rates SET status = 'superseded'
    WHERE status = 'live'
      AND origin = r.origin AND destination = r.destination
      AND vehicle = r.vehicle AND season IS NOT DISTINCT FROM r.season
      AND return_trip = r.return_trip AND currency = r.currency;
    UPDATE rates SET status = 'live' WHERE id = p_rate;
END $$;
