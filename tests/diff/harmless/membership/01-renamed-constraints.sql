-- Renames two constraints. Harmless: they refuse the same rows with the same SQLSTATEs.

ALTER TABLE users RENAME CONSTRAINT users_email_key TO users_email_is_unique;
ALTER TABLE project_members RENAME CONSTRAINT project_members_role_check TO project_members_role_is_known;
