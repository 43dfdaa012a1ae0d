-- Fault: the backfill orders the levels by their names, so that members come after editors.

ALTER TABLE memberships ADD COLUMN rank integer;

UPDATE memberships SET rank = (SELECT count(*) FROM unnest(enum_range(NULL::access_level)) AS l (level)
                                WHERE l.level::text <= memberships.level::text);
ALTER TABLE memberships ALTER COLUMN rank SET NOT NULL;

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
