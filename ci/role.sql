-- The users that machines run as in CI. Passwords are of no worth: the server lives as long as the job does.
--
-- No superuser, as policies don't apply to one, but one that may make scratch databases and the roles that schemas want.
CREATE ROLE pgfsm_ci LOGIN CREATEDB CREATEROLE PASSWORD 'pgfsm_ci';
-- For machines with sessions: only a superuser may make the gates at which sessions stop inside statements.
CREATE ROLE pgfsm_sessions LOGIN SUPERUSER PASSWORD 'pgfsm_sessions';
