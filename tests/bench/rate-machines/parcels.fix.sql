-- A large parcel counts by its volume, here as everywhere.
CREATE OR REPLACE FUNCTION quote(p_account integer, p_weight integer, p_length integer, p_width integer, p_height integer,
                      p_zone text, p_service text, p_declared integer, p_cod boolean, p_fragile boolean)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_zone  zones;
    v_tier  tier := (SELECT tier FROM accounts WHERE id = p_account);
    v_kg    integer := ceil(greatest(p_weight / 1000.0, p_length * p_width * p_height / 5000.0));
    v_price bigint;
BEGIN
    SELECT * INTO STRICT v_zone FROM zones WHERE code = p_zone;
    v_price := v_zone.per_kg * v_kg;
    -- Gold customers pay no base price for small economy parcels of some value.
    IF NOT (v_tier = 'gold' AND p_service = 'economy' AND p_declared >= 10000 AND v_kg <= 5) THEN
        v_price := v_price + v_zone.base;
    END IF;
    IF p_service = 'express' THEN v_price := v_price * 3 / 2; END IF;
    IF p_declared > 50000 THEN v_price := v_price + (p_declared - 50000) / 100; END IF;
    IF p_cod THEN v_price := v_price + 300; END IF;
    IF p_fragile THEN v_price := v_price + 250; END IF;
    IF greatest(p_length, p_width, p_height) > 120 THEN v_price := v_price + 1000; END IF;
    RETURN v_price + v_price * (SELECT fuel_percent FROM settings) / 100;
END $$;

