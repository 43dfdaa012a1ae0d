-- Each account gets a lowest balance that it may have, of which `overdraft` is a special case.

ALTER TABLE accounts ADD COLUMN lowest numeric;

CREATE FUNCTION set_lowest() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    NEW.lowest := CASE WHEN NEW.overdraft THEN '-Infinity'::numeric ELSE 0 END;
    RETURN NEW;
END
$$;

CREATE TRIGGER set_lowest BEFORE INSERT OR UPDATE OF overdraft ON accounts
    FOR EACH ROW EXECUTE FUNCTION set_lowest();

UPDATE accounts SET lowest = CASE WHEN overdraft THEN '-Infinity'::numeric ELSE 0 END;
ALTER TABLE accounts ALTER COLUMN lowest SET NOT NULL;

CREATE OR REPLACE FUNCTION check_overdraft(account bigint) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
BEGIN
    IF EXISTS (SELECT FROM entries e JOIN accounts a ON a.id = e.account_id
                WHERE a.id = account AND e.balance_after < a.lowest)
    THEN
        RAISE check_violation
            USING MESSAGE = format('account %s would be overdrawn', account),
                  CONSTRAINT = 'no_overdraft';
    END IF;
END
$$;
