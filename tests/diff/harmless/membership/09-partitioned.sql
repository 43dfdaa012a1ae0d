-- Partitions project_members by project. Harmless: keys, policy and grants of the table stay, and nobody uses the
-- partitions by their names. Only the name of the primary key in an error is that of a partition.

ALTER TABLE project_members RENAME TO old_project_members;
ALTER TABLE old_project_members RENAME CONSTRAINT project_members_pkey TO old_project_members_pkey;

CREATE TABLE project_members (
    project_id uuid NOT NULL,
    user_id    uuid NOT NULL,
    role       text NOT NULL CONSTRAINT project_members_role_check CHECK (role IN ('viewer', 'editor')),
    PRIMARY KEY (project_id, user_id)
) PARTITION BY HASH (project_id);
CREATE TABLE project_members_0 PARTITION OF project_members FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE project_members_1 PARTITION OF project_members FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE project_members_2 PARTITION OF project_members FOR VALUES WITH (MODULUS 3, REMAINDER 2);

INSERT INTO project_members (project_id, user_id, role)
    SELECT project_id, user_id, role FROM old_project_members;
DROP TABLE old_project_members;
ALTER TABLE project_members
    ADD CONSTRAINT project_members_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects ON DELETE CASCADE;
ALTER TABLE project_members
    ADD CONSTRAINT project_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;

ALTER TABLE project_members ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_memberships ON project_members TO authenticated
    USING (user_id = auth_uid())
    WITH CHECK (user_id = auth_uid());
GRANT SELECT, INSERT, UPDATE, DELETE ON project_members TO authenticated;
