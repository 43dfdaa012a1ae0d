-- Planted in on_call.sql: sign_off does not lock the shift. Two doctors each see the other, and both go home. At
-- SERIALIZABLE, PostgreSQL refuses one of them; at REPEATABLE READ it does not.
--
-- shortest: 2 steps, 1 switch, 0 gates
--   A1  sign_off(shift=1, doctor="ann")
--   B1  sign_off(shift=1, doctor="bob")

CREATE OR REPLACE FUNCTION sign_off(for_shift integer, who text) RETURNS boolean
LANGUAGE plpgsql
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM on_call WHERE shift = for_shift AND doctor <> who) THEN
        RAISE 'nobody else is on call in shift %', for_shift USING ERRCODE = 'P0ONE';
    END IF;
    DELETE FROM on_call WHERE shift = for_shift AND doctor = who;
    RETURN FOUND;
END
$$;
