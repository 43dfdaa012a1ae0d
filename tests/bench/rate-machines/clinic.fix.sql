ALTER TABLE visits
    DROP CONSTRAINT doctor_free,
    ADD CONSTRAINT doctor_free EXCLUDE USING gist (int4range(doctor, doctor, '[]') WITH &&, during WITH &&)
        WHERE (state = 'confirmed');
