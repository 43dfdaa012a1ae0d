CREATE EXTENSION dblink;
CREATE TABLE t (id integer PRIMARY KEY);
CREATE FUNCTION elsewhere(query text) RETURNS bigint LANGUAGE sql AS $$
    SELECT n FROM dblink(format('host=%s port=%s dbname=%s user=%s', current_setting('unix_socket_directories'),
                                current_setting('port'), current_database(), current_user), query) AS answer (n bigint)
$$;
