CREATE TABLE notes (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, label int, comment text, import boolean);
