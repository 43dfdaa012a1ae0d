-- Rewrites check_overdraft with IN instead of a join. Harmless: the id of an account is unique.

CREATE OR REPLACE FUNCTION check_overdraft(account bigint) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
DECLARE
    is_overdrawn boolean;
BEGIN
    SELECT count(*) > 0 INTO is_overdrawn
      FROM entries
     WHERE balance_after < 0 AND account_id IN (SELECT id FROM accounts WHERE id = account AND NOT overdraft);
    IF is_overdrawn THEN
        RAISE check_violation
            USING MESSAGE = format('account %s would be overdrawn', account),
                  CONSTRAINT = 'no_overdraft';
    END IF;
END
$$;
