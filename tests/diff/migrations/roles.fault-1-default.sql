-- Fault: existing members get the default of the new column, also owners and editors.

ALTER TABLE memberships ADD COLUMN rank integer NOT NULL DEFAULT 1;

CREATE FUNCTION set_rank() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    NEW.rank := CASE NEW.level WHEN 'member' THEN 1 WHEN 'editor' THEN 2 ELSE 3 END;
    RETURN NEW;
END
$$;

CREATE TRIGGER set_rank BEFORE INSERT OR UPDATE ON memberships
    FOR EACH ROW EXECUTE FUNCTION set_rank();

CREATE FUNCTION rank_in(tenant integer) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
    SELECT rank FROM memberships WHERE tenant_id = tenant AND user_id = current_user_id()
$$;

ALTER POLICY invite ON memberships WITH CHECK (rank_in(tenant_id) = 3);
ALTER POLICY change ON memberships USING (rank_in(tenant_id) = 3);
ALTER POLICY remove ON memberships USING (rank_in(tenant_id) = 3 OR user_id = current_user_id());
ALTER POLICY write ON documents WITH CHECK (rank_in(tenant_id) >= 2 AND author_id = current_user_id());
ALTER POLICY rename ON documents USING (rank_in(tenant_id) >= 2);
ALTER POLICY delete ON documents USING (rank_in(tenant_id) = 3);
