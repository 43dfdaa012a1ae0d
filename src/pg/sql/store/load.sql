-- The failures of a machine that were seen last. Of a run that is shared: those that were there before it, so that each
-- process begins with the same ones.
SELECT f.name, f.trace, f.epoch, f.times
  FROM pgfsm.failure AS f
 WHERE f.machine = $1::pg_catalog.text AND pg_catalog.octet_length(f.trace) < 500000
   AND f.found < COALESCE((SELECT r.begun FROM pgfsm.run AS r
                            WHERE r.id = pg_catalog.sha256(pg_catalog.convert_to($3::pg_catalog.text, 'UTF8'))),
                          'infinity')
 ORDER BY f.seen DESC
 LIMIT $2::pg_catalog.int8
