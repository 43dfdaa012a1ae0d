UPDATE events SET id_new = id WHERE id_new IS NULL;
