-- A trigger stamps invitations with the time when the user was created instead of now: most are too old at once.
-- shortest: 3 requests
--   u = INSERT INTO auth.users (created_at) VALUES ('2020-01-01') RETURNING id
--   as authenticated (sub = u): a = SELECT create_account('a', 'a') ->> 'account_id'
--   as authenticated (sub = u): SELECT create_invitation(:a, 'member', 'one_time') IS NULL
-- The time differs by nature: it equals another one, which was given. An invitation can't be accepted, either.

CREATE FUNCTION basejump.stamp() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = basejump, pg_temp
AS $$
BEGIN
    SELECT u.created_at INTO NEW.created_at FROM auth.users AS u WHERE u.id = auth.uid();
    NEW.created_at := coalesce(NEW.created_at, now());
    RETURN NEW;
END
$$;

CREATE TRIGGER stamp BEFORE INSERT ON basejump.invitations
    FOR EACH ROW EXECUTE FUNCTION basejump.stamp();
