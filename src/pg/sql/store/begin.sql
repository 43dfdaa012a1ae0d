-- Makes a run and its chunks, unless they are there.
WITH made AS (
    INSERT INTO pgfsm.run (id, name, machine, examples, size, stop, begun)
    VALUES (pg_catalog.sha256(pg_catalog.convert_to($1::pg_catalog.text, 'UTF8')), $2::pg_catalog.text,
            $3::pg_catalog.text, $4::pg_catalog.int8, $5::pg_catalog.int8, $4::pg_catalog.int8, pg_catalog.now())
    ON CONFLICT (id) DO NOTHING
    RETURNING id, examples, size)
INSERT INTO pgfsm.chunk (run, first, last, epoch)
SELECT m.id, n.first, LEAST(n.first + m.size - 1, m.examples), 0
  FROM made AS m CROSS JOIN LATERAL pg_catalog.generate_series(1, m.examples, m.size) AS n (first)
