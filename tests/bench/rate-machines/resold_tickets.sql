-- Tickets of one event, with an official resale.
CREATE DOMAIN cents AS integer CHECK (VALUE >= 0);

CREATE TABLE person (email text PRIMARY KEY, earned cents NOT NULL DEFAULT 0, spent cents NOT NULL DEFAULT 0);

CREATE TABLE ticket (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    holder     text NOT NULL REFERENCES person,
    price      cents NOT NULL,
    vip        boolean NOT NULL DEFAULT false,
    scanned    boolean NOT NULL DEFAULT false
);

-- One row for each ticket that was ever offered.
CREATE TABLE offer (
    ticket   uuid PRIMARY KEY REFERENCES ticket ON DELETE CASCADE,
    seller   text NOT NULL REFERENCES person,
    asking   cents NOT NULL,
    open     boolean NOT NULL DEFAULT true
);

-- Who has been admitted may not sell any more.
CREATE FUNCTION close_offer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE offer SET open = false WHERE ticket = NEW.id AND open;
    RETURN NULL;
END $$;
CREATE TRIGGER close_offer AFTER UPDATE OF holder, scanned ON ticket
FOR EACH ROW EXECUTE FUNCTION close_offer();

CREATE FUNCTION offer_ticket(t uuid, amount cents) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT scanned FROM ticket WHERE id = t) THEN
        RAISE EXCEPTION 'ticket was used' USING ERRCODE = 'TK001';
    END IF;
    INSERT INTO offer (ticket, seller, asking)
    SELECT id, holder, amount FROM ticket WHERE id = t
    ON CONFLICT (ticket) DO UPDATE SET asking = EXCLUDED.asking, open = true;
END $$;

CREATE FUNCTION buy(t uuid, buyer text) RETURNS cents LANGUAGE plpgsql AS $$
DECLARE
    o offer;
BEGIN
    SELECT * INTO o FROM offer WHERE ticket = t AND open FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'ticket is not for sale' USING ERRCODE = 'TK002';
    END IF;
    UPDATE person SET earned = earned + o.asking WHERE email = o.seller;
    UPDATE person SET spent = spent + o.asking WHERE email = buyer;
    UPDATE ticket SET holder = buyer WHERE id = t;
    RETURN o.asking;
END $$;

-- Public: what is for sale, without names.
CREATE VIEW for_sale AS
SELECT t.id, o.asking, t.vip FROM ticket t JOIN offer o ON o.ticket = t.id WHERE o.open;
