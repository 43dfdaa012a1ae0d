-- Adds indexes for the foreign key to users and for the role. Harmless: only the plans may change.

CREATE INDEX project_members_by_user ON project_members (user_id);
CREATE INDEX editors ON project_members (user_id, project_id) WHERE role = 'editor';
