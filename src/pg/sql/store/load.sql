-- The failures of a machine that were seen last. Of a run that is shared: those that were there before it, in an order
-- that does not change, so that each process begins with the same ones.
(SELECT f.name, f.trace, f.epoch, f.times
   FROM pgfsm.failure AS f
  WHERE f.machine = $1::pg_catalog.text AND pg_catalog.octet_length(f.trace) < 500000
    AND $3::pg_catalog.text IS NULL
  ORDER BY f.seen DESC
  LIMIT $2::pg_catalog.int8)
UNION ALL
(SELECT f.name, f.trace, f.epoch, f.times
   FROM pgfsm.failure AS f
  WHERE f.machine = $1::pg_catalog.text AND pg_catalog.octet_length(f.trace) < 500000
    AND f.found < (SELECT r.begun FROM pgfsm.run AS r
                    WHERE r.id = pg_catalog.sha256(pg_catalog.convert_to($3::pg_catalog.text, 'UTF8')))
  ORDER BY f.found DESC, f.id
  LIMIT $2::pg_catalog.int8)
