-- A small ad server: campaigns with targeting, a daily cap and hours of the day; the highest bid wins.
CREATE TABLE advertisers (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name    text NOT NULL,
    balance numeric(12,2) NOT NULL DEFAULT 0 CHECK (balance >= 0)
);

CREATE TABLE campaigns (
    id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    advertiser_id integer NOT NULL REFERENCES advertisers,
    channel       text NOT NULL CHECK (channel IN ('web', 'app', 'video')),
    country       char(2),                                       -- NULL: everywhere
    device        text CHECK (device IN ('phone', 'tablet', 'desktop')),
    language      char(2),
    bid           numeric(6,2) NOT NULL CHECK (bid > 0),
    daily_cap     integer NOT NULL CHECK (daily_cap > 0),
    from_hour     integer NOT NULL CHECK (from_hour BETWEEN 0 AND 23),
    to_hour       integer NOT NULL CHECK (to_hour BETWEEN 0 AND 23),   -- exclusive; may be after midnight
    status        text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'paused'))
);

CREATE TABLE impressions (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign_id integer NOT NULL REFERENCES campaigns,
    day         date NOT NULL,
    hour        integer NOT NULL,
    price       numeric(6,2) NOT NULL
);

-- From 8 to 20 is the day, from 20 to 8 the night, from 8 to 8 all day.
CREATE FUNCTION in_window(p_from integer, p_to integer, p_hour integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN p_from < p_to THEN p_hour >= p_from AND p_hour < p_to
                ELSE p_hour >= p_from OR p_hour <= p_to END
$$;

CREATE FUNCTION serve_ad(p_channel text, p_country text, p_device text, p_language text, p_day date, p_hour integer)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    c campaigns;
BEGIN
    SELECT campaigns.* INTO c
      FROM campaigns JOIN advertisers a ON a.id = advertiser_id
     WHERE status = 'active'
       AND channel = p_channel
       AND (country IS NULL OR country = p_country)
       AND (device IS NULL OR device = p_device)
       AND (language IS NULL OR language = p_language)
       AND in_window(from_hour, to_hour, p_hour)
       AND a.balance >= bid
       AND daily_cap > (SELECT count(*) FROM impressions i WHERE i.campaign_id = campaigns.id AND i.day = p_day)
     ORDER BY bid DESC, campaigns.id
     LIMIT 1;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    UPDATE advertisers SET balance = balance - c.bid WHERE id = c.advertiser_id;
    INSERT INTO impressions (campaign_id, day, hour, price) VALUES (c.id, p_day, p_hour, c.bid);
    RETURN c.id;
END $$;
