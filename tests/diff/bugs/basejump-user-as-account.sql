-- create_account uses the user's UUID for the account, too: a second account of the same user fails.
-- shortest: 2 requests
--   u = INSERT INTO auth.users DEFAULT VALUES RETURNING id
--   as authenticated (sub = u): SELECT (create_account('a', 'a') ->> 'account_id')::uuid = :u
-- The id differs by nature: only that it equals another one shows the fault, or a third request that fails.

CREATE OR REPLACE FUNCTION create_account(slug text, name text) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
DECLARE
    made uuid;
BEGIN
    INSERT INTO accounts (id, slug, name) VALUES (auth.uid(), create_account.slug, create_account.name)
        RETURNING id INTO made;
    INSERT INTO account_user VALUES (made, auth.uid(), 'owner');
    RETURN json_build_object('account_id', made);
END
$$;
