ALTER POLICY reads ON ticket USING (assignee = me() OR assignee IS NULL AND previous = me());
