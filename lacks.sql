\\setenv PGDATABASE :DBNAME
\\! PGUSER=postgres psql -qX -f agent.sql >agent.out 2>&1 &
