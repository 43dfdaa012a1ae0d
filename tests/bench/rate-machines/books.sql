-- Books with periods. What is in a closed period stays; it is corrected by an entry in the open one.
CREATE TABLE accounts (
    code text PRIMARY KEY,
    name text NOT NULL
);
CREATE TABLE periods (
    no     integer PRIMARY KEY,
    closed boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX one_open_period ON periods ((true)) WHERE NOT closed;
INSERT INTO periods VALUES (1);
CREATE FUNCTION open_period() RETURNS integer LANGUAGE sql STABLE AS 'SELECT no FROM periods WHERE NOT closed';

CREATE TABLE entries (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    period   integer NOT NULL DEFAULT open_period() REFERENCES periods,
    debit    text NOT NULL REFERENCES accounts ON UPDATE CASCADE,
    credit   text NOT NULL REFERENCES accounts ON UPDATE CASCADE,
    amount   numeric(12,2) NOT NULL,
    corrects bigint REFERENCES entries,
    CONSTRAINT two_accounts CHECK (debit <> credit),
    UNIQUE (corrects, period)                 -- an entry is corrected once a period
);
CREATE TABLE snapshots (                      -- the balances when a period was closed
    period  integer REFERENCES periods,
    account text REFERENCES accounts ON UPDATE CASCADE,
    balance numeric NOT NULL,
    PRIMARY KEY (period, account)
);
CREATE VIEW balances AS
    SELECT a.code, coalesce(sum(CASE a.code WHEN e.debit THEN e.amount ELSE -e.amount END), 0) AS balance
    FROM accounts a LEFT JOIN entries e ON a.code IN (e.debit, e.credit)
    GROUP BY a.code;

CREATE FUNCTION keep_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.period <> open_period() THEN
        RAISE EXCEPTION 'period % is closed', OLD.period USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER keep_closed BEFORE DELETE OR UPDATE OF period, amount, corrects ON entries
    FOR EACH ROW EXECUTE FUNCTION keep_closed();

CREATE FUNCTION close_period() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE v_period integer := open_period();
BEGIN
    INSERT INTO snapshots SELECT v_period, code, balance FROM balances;
    UPDATE periods SET closed = true WHERE no = v_period;
    INSERT INTO periods VALUES (v_period + 1);
    RETURN v_period;
END $$;

-- What the entry should have been. A second correction in the same period replaces the first.
CREATE FUNCTION correct(p_entry bigint, p_amount numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v entries;
    v_earlier numeric;
BEGIN
    SELECT * INTO STRICT v FROM entries WHERE id = p_entry AND corrects IS NULL;
    IF v.period = open_period() THEN
        UPDATE entries SET amount = p_amount WHERE id = p_entry;
        RETURN;
    END IF;
    SELECT amount INTO v_earlier FROM entries WHERE corrects = p_entry AND period <> open_period()
    ORDER BY period DESC LIMIT 1;
    INSERT INTO entries (debit, credit, amount, corrects)
    VALUES (v.debit, v.credit, p_amount - v.amount - coalesce(v_earlier, 0), p_entry)
    ON CONFLICT (corrects, period) DO UPDATE SET amount = EXCLUDED.amount;
END $$;
