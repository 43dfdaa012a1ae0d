-- The towers of Hanoi: three disks, the smallest is 1.
CREATE TABLE disks (
    size int PRIMARY KEY,
    peg int NOT NULL DEFAULT 1
);
INSERT INTO disks (size) VALUES (1), (2), (3);

-- Moves the top disk of a peg, if the rules of the game allow it.
CREATE FUNCTION move(source int, target int) RETURNS void LANGUAGE sql BEGIN ATOMIC
    UPDATE disks SET peg = target
    WHERE size = (SELECT min(size) FROM disks WHERE peg = source)
      AND NOT EXISTS (SELECT FROM disks t WHERE t.peg = target AND t.size < disks.size);
END;
