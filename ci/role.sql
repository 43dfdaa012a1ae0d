-- The user that tests run as in CI: no superuser, but one that may make scratch databases and the roles
-- that schemas want. The password is of no worth: the server lives as long as the job does.
CREATE ROLE pgfsm_ci LOGIN CREATEDB CREATEROLE PASSWORD 'pgfsm_ci';
