-- Tenants, their members, and the documents that they share. As behind a web server, one database role serves
-- all users, and the setting app.user_id says who is signed in. Three mechanisms limit what that user may do:
--   grants     exclude what no user may ever do, such as change the tenant or the author of a document
--   policies   check the user's current level in the row's tenant
--   a trigger  checks what a single row can't show: that every tenant keeps an owner

-- All databases of a server share its roles: this one may exist already, or two runs may create it at once.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'app_user') THEN
        CREATE ROLE app_user NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN NULL; -- another run was faster
END
$$;

-- The user that loads this file must be able to SET ROLE app_user. A superuser can; others need a grant.
DO $$
BEGIN
    SET LOCAL ROLE app_user;
    RESET ROLE;
EXCEPTION
    WHEN insufficient_privilege THEN
        GRANT app_user TO CURRENT_USER;
END
$$;

CREATE TYPE access_level AS ENUM ('member', 'editor', 'owner'); -- in ascending order

CREATE TABLE users (
    id   integer PRIMARY KEY,
    name text NOT NULL
);

CREATE TABLE tenants (
    id   integer PRIMARY KEY,
    name text NOT NULL
);

CREATE TABLE memberships (
    tenant_id integer NOT NULL REFERENCES tenants ON DELETE CASCADE,
    user_id   integer NOT NULL REFERENCES users,
    level     access_level NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);

CREATE TABLE documents (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id integer NOT NULL REFERENCES tenants ON DELETE CASCADE,
    author_id integer NOT NULL REFERENCES users,
    title     text NOT NULL
);

CREATE FUNCTION current_user_id() RETURNS integer
LANGUAGE sql STABLE
AS $$
    SELECT nullif(current_setting('app.user_id', true), '')::integer
$$;

-- The level of the signed-in user in a tenant, or NULL. The function reads memberships as its owner, because
-- a policy on memberships that reads memberships through that policy would cause infinite recursion.
CREATE FUNCTION level_in(tenant integer) RETURNS access_level
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT level FROM memberships WHERE tenant_id = tenant AND user_id = current_user_id()
$$;

-- Every tenant keeps an owner. The function locks the tenant's row, so that the last two owners can't both
-- leave at the same time.
CREATE FUNCTION keep_an_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
    PERFORM FROM tenants WHERE id = OLD.tenant_id FOR UPDATE;
    IF FOUND AND NOT EXISTS (SELECT FROM memberships WHERE tenant_id = OLD.tenant_id AND level = 'owner')
    THEN
        RAISE restrict_violation
            USING MESSAGE = format('tenant %s would have no owner', OLD.tenant_id),
                  CONSTRAINT = 'last_owner';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER keep_an_owner AFTER UPDATE OR DELETE ON memberships
    FOR EACH ROW WHEN (OLD.level = 'owner') EXECUTE FUNCTION keep_an_owner();

ALTER TABLE users ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;

GRANT SELECT ON users, tenants TO app_user;
GRANT SELECT, INSERT, UPDATE (level), DELETE ON memberships TO app_user;
GRANT SELECT, INSERT, UPDATE (title), DELETE ON documents TO app_user;

CREATE POLICY see ON tenants FOR SELECT TO app_user
    USING (level_in(id) IS NOT NULL);
-- The policy on memberships hides those in other tenants, so users see only themselves and those who share one.
CREATE POLICY see ON users FOR SELECT TO app_user
    USING (id = current_user_id() OR EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id));

CREATE POLICY see ON memberships FOR SELECT TO app_user
    USING (level_in(tenant_id) IS NOT NULL);
CREATE POLICY invite ON memberships FOR INSERT TO app_user
    WITH CHECK (level_in(tenant_id) = 'owner');
CREATE POLICY change ON memberships FOR UPDATE TO app_user
    USING (level_in(tenant_id) = 'owner');
CREATE POLICY remove ON memberships FOR DELETE TO app_user
    USING (level_in(tenant_id) = 'owner' OR user_id = current_user_id()); -- or leave

CREATE POLICY see ON documents FOR SELECT TO app_user
    USING (level_in(tenant_id) IS NOT NULL);
CREATE POLICY write ON documents FOR INSERT TO app_user
    WITH CHECK (level_in(tenant_id) >= 'editor' AND author_id = current_user_id());
CREATE POLICY rename ON documents FOR UPDATE TO app_user
    USING (level_in(tenant_id) >= 'editor');
CREATE POLICY delete ON documents FOR DELETE TO app_user
    USING (level_in(tenant_id) = 'owner');
