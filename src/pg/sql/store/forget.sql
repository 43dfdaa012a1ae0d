-- Removes a failure that passes now, unless somebody has found it meanwhile ($4: how often it had been found; 0: it does
-- not matter).
DELETE FROM pgfsm.failure AS f
 WHERE f.id = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text || E'\n' || $2::pg_catalog.text, 'UTF8'))
   AND f.epoch = $3::pg_catalog.int8 AND $4::pg_catalog.int8 IN (0, f.times) AND (f.lease IS NULL OR f.lease < pg_catalog.now())
