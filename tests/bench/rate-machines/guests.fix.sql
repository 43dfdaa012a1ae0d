-- A share that was revoked has to be accepted again.
CREATE OR REPLACE FUNCTION share_doc(d uuid, g integer, l share_level) RETURNS void LANGUAGE sql AS $$
    INSERT INTO shares (doc, guest, level) VALUES (d, g, l)
    ON CONFLICT (doc, guest) DO UPDATE
    SET level = EXCLUDED.level, accepted = shares.accepted AND NOT shares.revoked, revoked = false
$$;
