-- A metered service: a trial of two weeks, then paid periods of 30 days, each with three days of grace. An account may
-- make two calls in any minute, and one while it is in grace. The time is that of now().

DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'pgfsm_customer') THEN
        CREATE ROLE pgfsm_customer NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;

CREATE TABLE accounts (
    id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    trial_ends timestamptz NOT NULL DEFAULT now() + interval '14 days',
    paid_until timestamptz,                       -- NULL: nothing was paid yet
    renews     boolean NOT NULL DEFAULT true
);

CREATE TABLE calls (
    id      integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account integer NOT NULL REFERENCES accounts,
    at      timestamptz NOT NULL DEFAULT now()
);

-- The end itself belongs to what comes next. Only a paid period that renews is followed by grace.
CREATE VIEW standing AS
    SELECT id AS account,
           CASE WHEN now() < coalesce(paid_until, trial_ends) THEN 'active'
                WHEN renews AND now() < paid_until + interval '3 days' THEN 'grace'
                ELSE 'expired'
           END AS state
      FROM accounts;

ALTER TABLE calls ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON calls FOR SELECT TO pgfsm_customer
    USING (account = current_setting('app.account')::integer
           AND EXISTS (SELECT FROM standing AS s WHERE s.account = calls.account AND s.state <> 'expired'));
GRANT SELECT ON calls, standing TO pgfsm_customer;

CREATE FUNCTION call(by_account integer) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
    its_state text := (SELECT state FROM standing WHERE account = by_account);
    recent    bigint := (SELECT count(*) FROM calls WHERE account = by_account AND at > now() - interval '1 minute');
    made      integer;
BEGIN
    IF its_state = 'expired' THEN
        RAISE 'payment required' USING ERRCODE = 'P0PAY';
    END IF;
    IF recent >= (CASE its_state WHEN 'grace' THEN 1 ELSE 2 END) THEN
        RAISE 'too many calls' USING ERRCODE = 'P0RAT';
    END IF;
    INSERT INTO calls (account) VALUES (by_account) RETURNING id INTO made;
    RETURN made;
END $$;

-- A period follows on the one before without a gap, in grace too; after an expiry it begins now.
CREATE FUNCTION pay(by_account integer) RETURNS timestamptz
LANGUAGE sql
AS $$
    UPDATE accounts AS a
       SET paid_until = CASE WHEN s.state = 'expired' THEN now() ELSE coalesce(a.paid_until, a.trial_ends) END
                        + interval '30 days',
           renews = true
      FROM standing AS s
     WHERE a.id = by_account AND s.account = a.id
    RETURNING a.paid_until
$$;
