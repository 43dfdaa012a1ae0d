-- Rewrites role_of_caller in PL/pgSQL. Harmless: a user has one role in an account, or none, which is NULL in both.

CREATE OR REPLACE FUNCTION basejump.role_of_caller(account uuid) RETURNS basejump.account_role
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
DECLARE
    answer basejump.account_role;
BEGIN
    SELECT m.account_role INTO answer FROM account_user AS m WHERE m.account_id = account AND m.user_id = auth.uid();
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    RETURN answer;
END
$$;
