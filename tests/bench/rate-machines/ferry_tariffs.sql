-- Tariffs of a ferry line: rates are drafted, published and quoted.
CREATE TYPE rate_status AS ENUM ('draft', 'live', 'superseded', 'withdrawn');

CREATE TABLE rates (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    origin      char(3) NOT NULL,
    destination char(3) NOT NULL,
    vehicle     text NOT NULL CHECK (vehicle IN ('foot', 'bike', 'car', 'van')),
    season      text CHECK (season IN ('high', 'low', 'easter')),    -- NULL: all the year round
    return_trip boolean NOT NULL,
    currency    text NOT NULL CHECK (currency IN ('EUR', 'SEK')),
    amount      numeric(8,2) NOT NULL CHECK (amount > 0),
    status      rate_status NOT NULL DEFAULT 'draft',
    CHECK (origin <> destination)
);

CREATE INDEX rates_route ON rates (origin, destination, vehicle) WHERE status = 'live';

CREATE FUNCTION draft_rate(p_origin text, p_destination text, p_vehicle text, p_season text,
                           p_return boolean, p_currency text, p_amount numeric) RETURNS bigint
LANGUAGE sql AS $$
    INSERT INTO rates (origin, destination, vehicle, season, return_trip, currency, amount)
    VALUES (p_origin, p_destination, p_vehicle, p_season, p_return, p_currency, p_amount)
    RETURNING id
$$;

-- A rate that goes live takes the place of the one that was live for the same thing.
CREATE FUNCTION publish_rate(p_rate bigint) RETURNS void
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
      AND vehicle = r.vehicle AND season = r.season
      AND return_trip = r.return_trip AND currency = r.currency;
    UPDATE rates SET status = 'live' WHERE id = p_rate;
END $$;

CREATE FUNCTION withdraw_rate(p_rate bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE rates SET status = 'withdrawn' WHERE id = p_rate AND status = 'live';
    RETURN FOUND;
END $$;

CREATE FUNCTION amend_rate(p_rate bigint, p_amount numeric) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE rates SET amount = p_amount WHERE id = p_rate AND status = 'draft';
    RETURN FOUND;
END $$;

-- The price in a season: its own rate, else the one for all the year.
CREATE FUNCTION quote(p_origin text, p_destination text, p_vehicle text, p_season text,
                      p_return boolean, p_currency text, p_travellers integer) RETURNS numeric
LANGUAGE sql STABLE AS $$
    SELECT amount * p_travellers FROM rates
    WHERE status = 'live' AND origin = p_origin AND destination = p_destination
      AND vehicle = p_vehicle AND return_trip = p_return AND currency = p_currency
      AND (season = p_season OR season IS NULL)
    ORDER BY season NULLS LAST, id
    LIMIT 1
$$;
