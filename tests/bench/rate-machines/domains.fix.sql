CREATE OR REPLACE FUNCTION register(which host, who text, year integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO domains (name, owner, paid_to) VALUES (which, who, year)
    ON CONFLICT (name) DO UPDATE
    SET owner = EXCLUDED.owner, paid_to = EXCLUDED.paid_to, standing = EXCLUDED.standing, locked = EXCLUDED.locked
    WHERE domains.standing = 'free';
    RETURN FOUND;
END $$;
