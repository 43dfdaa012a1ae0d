-- Gives a failure back that was not shrunk to its end.
UPDATE pgfsm.failure AS f
   SET lease = NULL
 WHERE f.id = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text || E'\n' || $2::pg_catalog.text, 'UTF8'))
   AND f.epoch = $3::pg_catalog.int8 AND f.holder = $4::pg_catalog.text AND NOT f.shrunk
