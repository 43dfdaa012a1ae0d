-- Rewrites open_account in PL/pgSQL. Harmless: it inserts the same row, and the argument keeps its default.

CREATE OR REPLACE FUNCTION open_account(name text, overdraft boolean DEFAULT false) RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
    opened bigint;
BEGIN
    INSERT INTO accounts (name, overdraft) VALUES (open_account.name, open_account.overdraft)
        RETURNING id INTO opened;
    RETURN opened;
END
$$;
