-- DESC applies to one column only.
CREATE OR REPLACE VIEW standings AS
    SELECT e.cookoff_id, e.id AS entry_id, t.total,
           rank() OVER (PARTITION BY e.cookoff_id ORDER BY t.total DESC, t.best DESC) AS place
      FROM entries e
     CROSS JOIN LATERAL (SELECT COALESCE(sum(points), 0) AS total, COALESCE(max(points), 0) AS best
                           FROM scores WHERE entry_id = e.id) t
     WHERE NOT e.withdrawn;
