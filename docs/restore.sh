#!/bin/sh
# Restores a backup, while the service runs:
#
#   docs/restore.sh BACKUP DATABASE
#
# BACKUP is a file of `pg_dump -Fc`. PGHOST, PGPORT, PGUSER and PGPASSWORD name the server, as for all of PostgreSQL's tools.
# The backup is restored beside the database, which is replaced when everything is there.
set -eu

backup=$1
database=$2
restored=${database}_restored

createdb -T template0 "$restored"
pg_restore --exit-on-error --no-owner -j 2 -d "$restored" "$backup"
vacuumdb -qZ -d "$restored"
dropdb -f --if-exists "$database" # ends the connections of running processes
psql -q -v ON_ERROR_STOP=1 -d postgres -c "ALTER DATABASE \"$restored\" RENAME TO \"$database\""
