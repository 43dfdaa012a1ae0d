ALTER POLICY comments_read ON comments
    USING (doc_id IN (SELECT id FROM docs) AND (NOT internal OR owns_doc(doc_id)));
