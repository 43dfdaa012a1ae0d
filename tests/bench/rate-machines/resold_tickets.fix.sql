CREATE OR REPLACE FUNCTION offer_ticket(t uuid, amount cents) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT scanned FROM ticket WHERE id = t) THEN
        RAISE EXCEPTION 'ticket was used' USING ERRCODE = 'TK001';
    END IF;
    INSERT INTO offer (ticket, seller, asking)
    SELECT id, holder, amount FROM ticket WHERE id = t
    ON CONFLICT (ticket) DO UPDATE SET seller = EXCLUDED.seller, asking = EXCLUDED.asking, open = true;
END $$;
