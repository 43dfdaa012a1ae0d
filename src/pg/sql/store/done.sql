-- Keeps the records of a chunk, from the one who has it; $5: behind this example nothing counts any more.
WITH mine AS (
    UPDATE pgfsm.chunk AS c
       SET done = pg_catalog.now(), lease = NULL, records = $4::pg_catalog.text
     WHERE c.run = pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text, 'UTF8'))
       AND c.first = $2::pg_catalog.int8 AND c.epoch = $3::pg_catalog.int8 AND c.done IS NULL
    RETURNING c.run),
stopped AS (
    UPDATE pgfsm.run AS r
       SET stop = $5::pg_catalog.int8
      FROM mine AS m
     WHERE r.id = m.run AND r.stop > $5::pg_catalog.int8)
SELECT pg_catalog.count(*) FROM mine
