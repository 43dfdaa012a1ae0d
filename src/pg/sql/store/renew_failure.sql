UPDATE pgfsm.failure AS f
   SET lease = pg_catalog.now() + pg_catalog.make_interval(secs => $4::pg_catalog.float8)
 WHERE f.id = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text || E'\n' || $2::pg_catalog.text, 'UTF8'))
   AND f.epoch = $3::pg_catalog.int8 AND f.holder = $5::pg_catalog.text AND f.lease IS NOT NULL
RETURNING 1
