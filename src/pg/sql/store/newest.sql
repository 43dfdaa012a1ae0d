SELECT pg_catalog.max(v.version) FROM pgfsm.version AS v
