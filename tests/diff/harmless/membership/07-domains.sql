-- Gives the texts of users and projects domains of their own, which are to document them. Harmless: the domains have no
-- constraint, and clients see the type text as before.

CREATE DOMAIN email_address AS text;
CREATE DOMAIN project_name AS text;
ALTER TABLE users ALTER COLUMN email TYPE email_address;
ALTER TABLE projects ALTER COLUMN name TYPE project_name;
