-- Makes project_members again with its columns in another order. Harmless: rows, keys, policy and grants stay, and
-- every statement names its columns.

CREATE TABLE new_project_members (
    user_id    uuid NOT NULL,
    role       text NOT NULL CONSTRAINT project_members_role_check CHECK (role IN ('viewer', 'editor')),
    project_id uuid NOT NULL,
    PRIMARY KEY (project_id, user_id),
    CONSTRAINT project_members_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects ON DELETE CASCADE,
    CONSTRAINT project_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE
);
INSERT INTO new_project_members (project_id, user_id, role)
    SELECT project_id, user_id, role FROM project_members;
DROP TABLE project_members;
ALTER TABLE new_project_members RENAME TO project_members;
ALTER TABLE project_members RENAME CONSTRAINT new_project_members_pkey TO project_members_pkey;

ALTER TABLE project_members ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_memberships ON project_members TO authenticated
    USING (user_id = auth_uid())
    WITH CHECK (user_id = auth_uid());
GRANT SELECT, INSERT, UPDATE, DELETE ON project_members TO authenticated;
