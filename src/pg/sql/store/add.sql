-- Keeps a failure that nobody shrinks, unless the store knows it.
INSERT INTO pgfsm.failure
       (id, machine, identity, name, trace, shrunk, found, seen, times, shrinks, epoch)
VALUES (pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text || E'\n' || $2::pg_catalog.text, 'UTF8')),
        $1::pg_catalog.text, $2::pg_catalog.text, $3::pg_catalog.text, $4::pg_catalog.text, false,
        pg_catalog.now(), pg_catalog.now(), 1, 0, 0)
ON CONFLICT (id) DO NOTHING
