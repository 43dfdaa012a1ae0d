-- strict
-- Rows that must refer to each other from the start.
CREATE TABLE account (id int PRIMARY KEY, first_member int NOT NULL, name text);
CREATE TABLE membership (id int PRIMARY KEY, account int NOT NULL REFERENCES account DEFERRABLE INITIALLY DEFERRED);
ALTER TABLE account ADD FOREIGN KEY (first_member) REFERENCES membership DEFERRABLE INITIALLY DEFERRED;
CREATE TABLE badge (id int PRIMARY KEY, member int NOT NULL REFERENCES membership);
CREATE TABLE node (id int PRIMARY KEY, parent int NOT NULL REFERENCES node, friend int REFERENCES account);
CREATE TABLE house (id int PRIMARY KEY, main_room int);
CREATE TABLE room (id int PRIMARY KEY, house int NOT NULL REFERENCES house);
ALTER TABLE house ADD FOREIGN KEY (main_room) REFERENCES room;
