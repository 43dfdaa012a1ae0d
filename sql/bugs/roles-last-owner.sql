-- Planted in roles.sql: tenants keep a count of their owners. Promotions are added and departures subtracted,
-- but demotions are not subtracted. After a demotion the count is too high, and the last owner can leave.
--
-- shortest: 2
--   set_level(tenant=tenants_1, actor=users_1, user=users_2, level="member")
--   remove(tenant=tenants_1, actor=users_1, user=users_1)
-- Seen in the second step: restrict_violation is expected but not raised.

ALTER TABLE tenants ADD COLUMN owners integer NOT NULL DEFAULT 0;

CREATE FUNCTION count_owners() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    IF TG_OP = 'INSERT' OR OLD.level <> 'owner' THEN
        UPDATE tenants SET owners = owners + 1 WHERE id = NEW.tenant_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER count_owners AFTER INSERT OR UPDATE ON memberships
    FOR EACH ROW WHEN (NEW.level = 'owner') EXECUTE FUNCTION count_owners();

CREATE OR REPLACE FUNCTION keep_an_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.level = 'owner' THEN
        RETURN NULL;
    END IF;
    PERFORM FROM tenants WHERE id = OLD.tenant_id AND owners <= 1 FOR UPDATE;
    IF FOUND THEN
        RAISE restrict_violation
            USING MESSAGE = format('tenant %s would have no owner', OLD.tenant_id),
                  CONSTRAINT = 'last_owner';
    END IF;
    IF TG_OP = 'DELETE' THEN
        UPDATE tenants SET owners = owners - 1 WHERE id = OLD.tenant_id;
    END IF;
    RETURN NULL;
END
$$;
