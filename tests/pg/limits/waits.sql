\ir others.sql
INSERT INTO t VALUES (1);
