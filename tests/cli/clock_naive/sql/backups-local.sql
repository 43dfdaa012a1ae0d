-- The hours are counted by the clock on the wall.
CREATE OR REPLACE VIEW kept AS
    SELECT id, made AT TIME ZONE 'America/Chicago' AS made_local
      FROM backups
     WHERE now() AT TIME ZONE 'America/Chicago' - made AT TIME ZONE 'America/Chicago' < interval '6 hours';
