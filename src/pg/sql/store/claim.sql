-- Takes the lease of a failure that nobody has shrunk, or that was shrunk in a form which is of no use ($7: its epoch).
-- Who asks again, as the answer was lost, gets it once more.
INSERT INTO pgfsm.failure AS f
       (id, machine, identity, name, trace, shrunk, found, seen, times, shrinks, holder, epoch, lease)
VALUES (pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text || E'\n' || $2::pg_catalog.text, 'UTF8')),
        $1::pg_catalog.text, $2::pg_catalog.text, $3::pg_catalog.text, $4::pg_catalog.text, false,
        pg_catalog.now(), pg_catalog.now(), 1, 1, $5::pg_catalog.text, 1,
        pg_catalog.now() + pg_catalog.make_interval(secs => $6::pg_catalog.float8))
ON CONFLICT (id) DO UPDATE
   SET name = excluded.name, trace = excluded.trace, shrunk = false, seen = excluded.seen, times = f.times + 1,
       shrinks = f.shrinks + 1, holder = excluded.holder, epoch = f.epoch + 1, lease = excluded.lease
 WHERE (f.lease IS NULL OR f.lease < pg_catalog.now() OR f.holder = excluded.holder)
   AND (NOT f.shrunk OR f.epoch = $7::pg_catalog.int8)
RETURNING f.epoch
