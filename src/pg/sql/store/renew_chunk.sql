UPDATE pgfsm.chunk AS c
   SET lease = pg_catalog.now() + pg_catalog.make_interval(secs => $4::pg_catalog.float8)
 WHERE c.run = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text, 'UTF8'))
   AND c.first = $2::pg_catalog.int8 AND c.epoch = $3::pg_catalog.int8 AND c.lease IS NOT NULL
RETURNING 1
