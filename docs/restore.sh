#!/bin/sh
# Restores a backup, while the service runs:
#
#   docs/restore.sh BACKUP DATABASE
#
# BACKUP is a file of `pg_dump -Fc`. PGHOST, PGPORT, PGUSER and PGPASSWORD name the server, as for all of PostgreSQL's tools.
# The backup is restored beside the database, which is replaced when everything is there.
#
# If it fails before that, the database stays as it is, and what was restored is removed.
set -eu

[ $# -eq 2 ] || { echo "usage: $0 BACKUP DATABASE" >&2; exit 2; }
backup=$1
database=$2
restored=${database}_restored

pg_restore -l "$backup" >/dev/null # it is a backup
createdb -T template0 "$restored"
trap 'dropdb --if-exists "$restored"' EXIT
trap 'exit 1' HUP INT TERM
pg_restore --exit-on-error --no-owner -j 2 -d "$restored" "$backup"
vacuumdb -qZ -d "$restored"
trap - EXIT HUP INT TERM # from here on it is the only one
dropdb -f --if-exists "$database" # ends the connections of running processes
psql -q -v ON_ERROR_STOP=1 -d postgres -c "ALTER DATABASE \"$restored\" RENAME TO \"$database\""
