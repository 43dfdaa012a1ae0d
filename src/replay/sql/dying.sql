-- A step in whose middle its session ends: the session is a connection of dblink's, which ends itself at one of its gates,
-- where a statement begins or ends to write to a table. pgfsm.dies says how many gates are still to come up to that one.
CREATE FUNCTION pgfsm.gate() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $gate$
DECLARE
    ahead constant integer := current_setting('pgfsm.dies')::integer - 1;
BEGIN
    WHILE ahead = 0 LOOP
        PERFORM pg_terminate_backend(pg_backend_pid(), 10000);
    END LOOP;
    PERFORM set_config('pgfsm.dies', ahead::text, false);
    RETURN NULL;
END
$gate$;
GRANT USAGE ON SCHEMA pgfsm TO PUBLIC;
-- Sends one text after the other, until one fails or the connection is lost. Nobody reads the answers.
CREATE FUNCTION pgfsm.die(connection text, gate integer, VARIADIC texts text[]) RETURNS void LANGUAGE plpgsql AS $die$
DECLARE
    one text;
    failed boolean := false;
    empty integer;
BEGIN
    PERFORM dblink_connect('pgfsm', connection);
    PERFORM dblink_exec('pgfsm', format('SET pgfsm.dies = %L', gate));
    FOREACH one IN ARRAY texts LOOP
        EXIT WHEN failed OR dblink_send_query('pgfsm', one) = 0;
        empty := 0;
        WHILE empty < 2 LOOP -- an answer without rows, and then its end
            BEGIN
                PERFORM FROM dblink_get_result('pgfsm') AS answers(answer text);
                empty := CASE WHEN FOUND THEN 0 ELSE empty + 1 END;
            EXCEPTION
                WHEN datatype_mismatch THEN -- it returned other columns
                    NULL;
                WHEN others THEN
                    failed := true;
            END;
        END LOOP;
    END LOOP;
    PERFORM dblink_disconnect('pgfsm');
END
$die$;
DO $do$
BEGIN
    SET LOCAL search_path = pg_catalog, pg_temp;
    EXECUTE (SELECT format('ALTER FUNCTION pgfsm.die SET search_path = pg_catalog, pg_temp, %I', n.nspname)
             FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'dblink');
END
$do$;
