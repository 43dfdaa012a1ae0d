-- Removes runs that nobody will merge any more.
DELETE FROM pgfsm.run AS r WHERE r.begun < pg_catalog.now() - pg_catalog.make_interval(days => 30)
