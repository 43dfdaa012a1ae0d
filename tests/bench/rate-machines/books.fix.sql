-- The difference is to the entry with all of its corrections in earlier periods.
CREATE OR REPLACE FUNCTION correct(p_entry bigint, p_amount numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v entries;
    v_earlier numeric;
BEGIN
    SELECT * INTO STRICT v FROM entries WHERE id = p_entry AND corrects IS NULL;
    IF v.period = open_period() THEN
        UPDATE entries SET amount = p_amount WHERE id = p_entry;
        RETURN;
    END IF;
    SELECT sum(amount) INTO v_earlier FROM entries WHERE corrects = p_entry AND period <> open_period();
    INSERT INTO entries (debit, credit, amount, corrects)
    VALUES (v.debit, v.credit, p_amount - v.amount - coalesce(v_earlier, 0), p_entry)
    ON CONFLICT (corrects, period) DO UPDATE SET amount = EXCLUDED.amount;
END $$;
