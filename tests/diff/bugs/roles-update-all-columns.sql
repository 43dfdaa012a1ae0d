-- Grants UPDATE on whole documents instead of their titles, so editors can change authors and tenants.
-- shortest: 1 request
--   as app_user (app.user_id = 1): UPDATE documents SET author_id = 1

CREATE INDEX ON documents (tenant_id);
REVOKE ALL ON documents FROM app_user;
GRANT SELECT, INSERT, UPDATE, DELETE ON documents TO app_user;
