// Package localserver runs a private PostgreSQL and a private Redis as child processes under one data folder: for
// `gpatlas dev`, for commands that borrow its servers, and, in a folder in memory that goes with them, for tests. They
// need no password (the sockets' folder is closed to other users) and never touch servers that already run.
//
//	DIR/gpatlas.lock   one owner per folder; holds its pid
//	DIR/users.lock     shared by commands that borrow the owner's servers
//	DIR/postgres       the cluster; `pg_ctl -D DIR/postgres …` works on it by hand
//	DIR/redis          the append-only file
//	DIR/run            the sockets (a link to a short folder where a socket's path would be too long)
//	DIR/log            what the servers say
//
// A server ends with the process that started it, however that process ends. PostgreSQL refuses to run as root, so root's
// servers run as the user postgres, else nobody.
//
// It serves developers, tests and single machines. In production DATABASE_URL and REDIS_URL name servers that are looked
// after otherwise, and this package is not used.
package localserver
