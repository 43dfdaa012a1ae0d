-- Makes create_account one statement, and builds its answer by row_to_json. Harmless: both rows or none are inserted, and
-- the JSON has the same value, only with fewer spaces.

CREATE OR REPLACE FUNCTION create_account(slug text, name text) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
DECLARE
    answer json;
BEGIN
    WITH account AS (
        INSERT INTO accounts (slug, name) VALUES (create_account.slug, create_account.name) RETURNING id
    ), owner AS (
        INSERT INTO account_user (account_id, user_id, account_role)
        SELECT account.id, auth.uid(), 'owner' FROM account
        RETURNING account_user.account_id
    )
    SELECT row_to_json(owner) INTO answer FROM owner;
    RETURN answer;
END
$$;
