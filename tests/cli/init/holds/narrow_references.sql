-- A foreign key whose column takes shorter texts than the key that it refers to.
CREATE TABLE parent (id varchar(40) PRIMARY KEY);
CREATE TABLE child (id serial PRIMARY KEY, parent varchar(8) NOT NULL REFERENCES parent ON UPDATE CASCADE);
