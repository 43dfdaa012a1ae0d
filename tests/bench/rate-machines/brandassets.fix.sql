-- As the owner of the tables, so that the shares of the other side go, too.
CREATE OR REPLACE FUNCTION disconnect(p_org integer) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public AS $$
DECLARE
    me integer := current_org();
    n  integer;
BEGIN
    DELETE FROM asset_shares
     WHERE (owner_org = me AND org_id = p_org) OR (owner_org = p_org AND org_id = me);
    DELETE FROM connections
     WHERE (requester = me AND addressee = p_org) OR (requester = p_org AND addressee = me);
    GET DIAGNOSTICS n = ROW_COUNT;
    RETURN n > 0;
END $$;
