// Package devstack runs a private PostgreSQL and a private Redis as child processes under one data folder, for
// `gpatlas dev` and for commands that borrow its servers. They listen on unix sockets only, need no password (the
// sockets' folder lets nobody else in) and never touch servers that already run.
//
//	DIR/gpatlas.lock   one owner per folder; holds its pid
//	DIR/users.lock     shared by commands that borrow the owner's servers
//	DIR/postgres       the cluster; `pg_ctl -D DIR/postgres …` works on it by hand
//	DIR/redis          the append-only file
//	DIR/run            the sockets (a link to a short folder where a socket's path would be too long)
//	DIR/log            what the servers say
//
// A parent killed outright leaves its servers running: the next start finds and adopts them. PostgreSQL refuses to run
// as root, so root's servers run as the user postgres, else nobody.
//
// It serves developers and single machines. In production DATABASE_URL and REDIS_URL name servers that are looked
// after otherwise, and this package is not used.
package devstack
