-- Parcels and their prices. Money is in cents, lengths are in cm, weights in grams.
CREATE TYPE tier AS ENUM ('basic', 'gold');
CREATE TABLE settings (fuel_percent integer NOT NULL);
INSERT INTO settings VALUES (0);
CREATE TABLE zones (
    code   text PRIMARY KEY,
    base   integer NOT NULL,
    per_kg integer NOT NULL
);
INSERT INTO zones VALUES ('home', 400, 40), ('near', 700, 90), ('far', 1500, 300), ('island', 2200, 450);
CREATE TABLE accounts (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tier    tier NOT NULL DEFAULT 'basic',
    balance bigint NOT NULL DEFAULT 0 CONSTRAINT prepaid CHECK (balance >= 0)
);
CREATE TABLE parcels (
    id         integer GENERATED ALWAYS AS IDENTITY (START WITH 1000) PRIMARY KEY,
    account_id integer NOT NULL REFERENCES accounts,
    price      bigint NOT NULL,
    cancelled  boolean NOT NULL DEFAULT false
);

CREATE FUNCTION quote(p_account integer, p_weight integer, p_length integer, p_width integer, p_height integer,
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
    IF NOT (v_tier = 'gold' AND p_service = 'economy' AND p_declared >= 10000 AND p_weight <= 5000) THEN
        v_price := v_price + v_zone.base;
    END IF;
    IF p_service = 'express' THEN v_price := v_price * 3 / 2; END IF;
    IF p_declared > 50000 THEN v_price := v_price + (p_declared - 50000) / 100; END IF;
    IF p_cod THEN v_price := v_price + 300; END IF;
    IF p_fragile THEN v_price := v_price + 250; END IF;
    IF greatest(p_length, p_width, p_height) > 120 THEN v_price := v_price + 1000; END IF;
    RETURN v_price + v_price * (SELECT fuel_percent FROM settings) / 100;
END $$;

CREATE FUNCTION book(p_account integer, p_weight integer, p_length integer, p_width integer, p_height integer,
                     p_zone text, p_service text, p_declared integer, p_cod boolean, p_fragile boolean)
RETURNS TABLE (parcel integer, price bigint) LANGUAGE plpgsql AS $$
DECLARE
    v_price bigint := quote($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);
BEGIN
    UPDATE accounts SET balance = balance - v_price WHERE id = p_account;
    RETURN QUERY INSERT INTO parcels (account_id, price) VALUES (p_account, v_price) RETURNING id, parcels.price;
END $$;

CREATE FUNCTION cancel(p_parcel integer) RETURNS void LANGUAGE sql AS $$
    WITH p AS (UPDATE parcels SET cancelled = true WHERE id = p_parcel AND NOT cancelled RETURNING account_id, price)
    UPDATE accounts a SET balance = balance + p.price FROM p WHERE a.id = p.account_id
$$;

-- Gold is for accounts with at least two parcels that were not cancelled.
CREATE FUNCTION upgrade(p_account integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT count(*) FROM parcels WHERE account_id = p_account AND NOT cancelled) < 2 THEN
        RAISE EXCEPTION 'too few parcels' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE accounts SET tier = 'gold' WHERE id = p_account;
END $$;
