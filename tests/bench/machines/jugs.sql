-- Two jugs, of three and five litres: can the big one hold exactly four?
-- Shortest: fill the big one, pour, empty the small one, pour, fill the big one, pour (6).
CREATE TABLE jugs (small int NOT NULL, big int NOT NULL);
INSERT INTO jugs VALUES (0, 0);
