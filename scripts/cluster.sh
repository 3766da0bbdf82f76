#!/usr/bin/env bash
# Runs GP Atlas as on several machines, all on loopback: etcd × 3, PostgreSQL × 3 under Patroni with a synchronous standby,
# Redis × 3 with Sentinel × 3, HAProxy, two web processes and two workers. It is for tests of failover, and shows a configuration
# that works; docs/scaling.md says what was tried. `scripts/install.sh --cluster` installs the programs.
#
#   scripts/cluster.sh up DIR          start everything in DIR, which is made if missing
#   scripts/cluster.sh status [--json] names, roles, pids and addresses
#   scripts/cluster.sh kill NAME       kill -9; Patroni starts a killed PostgreSQL again
#   scripts/cluster.sh stop NAME       SIGSTOP, as a machine that hangs; a PostgreSQL together with its Patroni
#   scripts/cluster.sh term NAME       SIGTERM, and wait for the end
#   scripts/cluster.sh cont NAME       SIGCONT
#   scripts/cluster.sh start NAME      start what was killed or ended
#   scripts/cluster.sh run ARGUMENT…   gpatlas with the settings of the cluster, such as `run ingest FILE`
#   scripts/cluster.sh down            end everything; DIR stays
#
# CLUSTER_PORT is the first of 100 ports (16000). GPATLAS_BIN is the program (bin/gpatlas). CLUSTER_DIR is the folder for the commands after up;
# by default it is that of the last up of this user.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
base=${CLUSTER_PORT:-16000}
last=${TMPDIR:-/tmp}/gpatlas-cluster-$(id -u)
dir=${CLUSTER_DIR:-}
started=$SECONDS

fail() {
	echo "cluster: $*" >&2
	exit 1
}
number() { echo "${1//[!0-9]/}"; }
port() { echo $((base + $1 + $(number "$2"))); } # port OFFSET NAME
pid_of() { cat "$dir/run/$1.pid" 2>/dev/null || true; }
alive() { [ -n "$1" ] && kill -0 "$1" 2>/dev/null; }

names() { echo etcd{1,2,3} patroni{1,2,3} pg{1,2,3} redis{1,2,3} sentinel{1,2,3} haproxy web{1,2} worker{1,2}; }

# until_true SECONDS WHAT COMMAND… waits for the command to succeed.
until_true() {
	local seconds=$1 what=$2 end=$((SECONDS + $1))
	shift 2
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || fail "$what is not there after $seconds s: see $dir/log"
		sleep 0.1
	done
}

# launch NAME COMMAND… starts a process in a session of its own.
launch() {
	local name=$1
	shift
	setsid "$@" >>"$dir/log/$name.log" 2>&1 </dev/null &
	echo $! >"$dir/run/$name.pid"
}

pg_bin() {
	local found
	found=$(find /usr/lib/postgresql/*/bin -name postgres 2>/dev/null | sort -V | tail -n 1)
	[ -n "$found" ] || fail "PostgreSQL is not installed: run scripts/install.sh"
	dirname "$found"
}

# pg_processes NAME prints the pids of a postmaster and its children.
pg_processes() {
	local postmaster
	postmaster=$(head -n 1 "$dir/$1/data/postmaster.pid" 2>/dev/null) || return 0
	alive "$postmaster" || return 0
	echo "$postmaster"
	pgrep -P "$postmaster" || true
}

write_settings() {
	local n members="" hosts="" secret
	secret=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
	mkdir -p "$dir"/{etc,log,run,mail,downloads,rows} "$dir"/etcd{1,2,3} "$dir"/redis{1,2,3} "$dir"/sentinel{1,2,3} "$dir"/pg{1,2,3}
	chmod 755 "$dir"
	for n in 1 2 3; do
		members="$members,etcd$n=http://127.0.0.1:$(port 10 $n)"
		hosts="$hosts, \"127.0.0.1:$(port 0 $n)\""
	done
	echo "${members#,}" >"$dir/etc/etcd.members"
	cat >"$dir/etc/post_bootstrap.sh" <<-END
		#!/bin/sh
		exec psql -qv ON_ERROR_STOP=1 "\$1" -c "CREATE ROLE gpatlas LOGIN PASSWORD '$secret'" -c "CREATE DATABASE gpatlas OWNER gpatlas"
	END
	chmod 755 "$dir/etc/post_bootstrap.sh"
	for n in 1 2 3; do
		cat >"$dir/etc/patroni$n.yml" <<-END
			scope: gpatlas
			namespace: /db/
			name: pg$n
			restapi: {listen: "127.0.0.1:$(port 30 $n)", connect_address: "127.0.0.1:$(port 30 $n)"}
			etcd: {hosts: [${hosts#, }]} # not etcd3: Patroni 3.0 lost acknowledged writes with it
			bootstrap:
			  dcs:
			    ttl: 20 # also how long a stopped or lost primary is waited for
			    loop_wait: 3
			    retry_timeout: 5 # loop_wait + 2 × retry_timeout ≤ ttl
			    primary_start_timeout: 0 # a killed PostgreSQL is not waited for
			    maximum_lag_on_failover: 1048576
			    synchronous_mode: true
			    postgresql:
			      use_pg_rewind: true
			      use_slots: true
			      parameters: {max_connections: 200, shared_buffers: 64MB, wal_log_hints: "on", wal_keep_size: 128MB, hot_standby_feedback: "on",
			        tcp_keepalives_idle: 5, tcp_keepalives_interval: 2, tcp_keepalives_count: 3, tcp_user_timeout: 10s}
			  initdb: [{encoding: UTF8}, {locale: C.UTF-8}, data-checksums]
			  pg_hba:
			    - local all all trust
			    - host all all 127.0.0.1/32 scram-sha-256
			    - host replication replicator 127.0.0.1/32 scram-sha-256
			  post_bootstrap: $dir/etc/post_bootstrap.sh
			postgresql:
			  listen: 127.0.0.1:$(port 20 $n)
			  connect_address: 127.0.0.1:$(port 20 $n)
			  data_dir: $dir/pg$n/data
			  bin_dir: $(pg_bin)
			  pgpass: $dir/pg$n/pgpass
			  basebackup: [{checkpoint: fast}]
			  authentication:
			    superuser: {username: postgres, password: $secret}
			    replication: {username: replicator, password: $secret}
			    rewind: {username: rewinder, password: $secret}
			  parameters: {unix_socket_directories: $dir/pg$n}
			watchdog: {mode: "off"}
		END
		cat >"$dir/etc/redis$n.conf" <<-END
			bind 127.0.0.1
			port $(port 40 $n)
			dir $dir/redis$n
			appendonly yes
			save ""
			maxmemory-policy noeviction
			min-replicas-to-write 1
			min-replicas-max-lag 5
		END
		[ $n = 1 ] || echo "replicaof 127.0.0.1 $(port 40 1)" >>"$dir/etc/redis$n.conf"
		cat >"$dir/sentinel$n/sentinel.conf" <<-END
			bind 127.0.0.1
			port $(port 50 $n)
			dir $dir/sentinel$n
			sentinel monitor gpatlas 127.0.0.1 $(port 40 1) 2
			sentinel down-after-milliseconds gpatlas 3000
			sentinel failover-timeout gpatlas 10000
			sentinel parallel-syncs gpatlas 1
		END
	done
	cat >"$dir/etc/haproxy.cfg" <<-END
		defaults
		  timeout connect 2s
		  timeout check 2s
		  timeout client 30m # listeners are silent for long
		  timeout server 30m
		  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
		listen pg_primary
		  bind 127.0.0.1:$((base + 90))
		  mode tcp
		  option httpchk OPTIONS /primary
		$(for n in 1 2 3; do echo "  server pg$n 127.0.0.1:$(port 20 $n) check port $(port 30 $n)"; done)
		listen pg_replicas
		  bind 127.0.0.1:$((base + 91))
		  mode tcp
		  option httpchk OPTIONS /replica?lag=16MB
		$(for n in 1 2 3; do echo "  server pg$n 127.0.0.1:$(port 20 $n) check port $(port 30 $n)"; done)
		listen web
		  bind 127.0.0.1:$base
		  mode http
		  balance leastconn
		  timeout client 75s
		  timeout server 65s
		  option forwardfor
		  option httpchk
		  http-check send meth GET uri /_internal/ready ver HTTP/1.1 hdr Host 127.0.0.1
		  http-check expect status 200 error-status L7OKC # a process that stops gets no new requests, and ends those it has
		  option redispatch 1
		  retries 3
		  retry-on conn-failure empty-response # a POST may charge: it is not repeated
		  http-request disable-l7-retry unless METH_GET
		  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
		$(for n in 1 2; do echo "  server web$n 127.0.0.1:$(port 60 $n) check port $(port 70 $n)"; done)
	END
	cat >"$dir/etc/gpatlas.env" <<-END
		export DATABASE_URL='postgres://gpatlas:$secret@127.0.0.1:$((base + 90))/gpatlas?sslmode=disable'
		export DATABASE_READ_URL='postgres://gpatlas:$secret@127.0.0.1:$((base + 91))/gpatlas?sslmode=disable'
		export REDIS_URL='redis://127.0.0.1:$(port 50 1)/0?addr=127.0.0.1:$(port 50 2)&addr=127.0.0.1:$(port 50 3)&master_name=gpatlas'
		export ACCOUNTS_JWT_KEYS='k1:$(head -c 32 /dev/urandom | base64)'
		export ACCOUNTS_PUBLIC_APP_URL='http://127.0.0.1:$base' WEB_PUBLIC_URL='http://127.0.0.1:$base' WEB_TRUSTED_PROXIES=127.0.0.1
		export CATALOG_SNAPSHOT_DIR='$dir/rows' WEB_DRAIN_DELAY=2s MAIL_DIR='$dir/mail' DATAOPS_DOWNLOAD_DIR='$dir/downloads'
	END
	chmod 600 "$dir/etc/gpatlas.env"
	if [ "$(id -u)" = 0 ]; then
		chown -R postgres: "$dir"/pg{1,2,3} "$dir"/etc/patroni{1,2,3}.yml
	fi
	chmod 600 "$dir"/etc/patroni{1,2,3}.yml
	chmod 700 "$dir"/pg{1,2,3}
}

gpatlas() {
	# shellcheck source=/dev/null
	. "$dir/etc/gpatlas.env"
	"${GPATLAS_BIN:-$root/bin/gpatlas}" "$@"
}

start_one() {
	local name=$1 n bin=${GPATLAS_BIN:-$root/bin/gpatlas}
	n=$(number "$name")
	if alive "$(pid_of "$name")"; then return 0; fi
	case $name in
	etcd?)
		launch "$name" env ETCD_UNSUPPORTED_ARCH="$(uname -m | sed 's/aarch64/arm64/')" etcd --name "$name" --data-dir "$dir/$name" --enable-v2=true \
			--listen-client-urls "http://127.0.0.1:$(port 0 "$n")" --advertise-client-urls "http://127.0.0.1:$(port 0 "$n")" \
			--listen-peer-urls "http://127.0.0.1:$(port 10 "$n")" --initial-advertise-peer-urls "http://127.0.0.1:$(port 10 "$n")" \
			--initial-cluster "$(cat "$dir/etc/etcd.members")" --initial-cluster-state new --initial-cluster-token gpatlas \
			--logger zap --log-level warn
		;;
	patroni?)
		if [ "$(id -u)" = 0 ]; then
			launch "$name" setpriv --reuid=postgres --regid=postgres --init-groups patroni "$dir/etc/$name.yml"
		else
			launch "$name" patroni "$dir/etc/$name.yml"
		fi
		;;
	pg?) # its Patroni starts it
		start_one "patroni$n"
		until_true 60 "$name" pg_isready -q -h 127.0.0.1 -p "$(port 20 "$n")"
		;;
	redis?) launch "$name" redis-server "$dir/etc/$name.conf" ;;
	sentinel?) launch "$name" redis-server "$dir/$name/sentinel.conf" --sentinel ;;
	haproxy) PATH=$PATH:/usr/sbin launch haproxy haproxy -db -f "$dir/etc/haproxy.cfg" ;;
	web?)
		# shellcheck source=/dev/null
		(. "$dir/etc/gpatlas.env" && WEB_ADDR=127.0.0.1:$(port 60 "$n") WEB_INTERNAL_ADDR=127.0.0.1:$(port 70 "$n") launch "$name" "$bin" web)
		;;
	worker?)
		# shellcheck source=/dev/null
		(. "$dir/etc/gpatlas.env" && JOBS_METRICS_ADDR=127.0.0.1:$(port 80 "$n") launch "$name" "$bin" worker)
		;;
	*) fail "there is no $name: the names are $(names)" ;;
	esac
}

start_all() { for name in "$@"; do start_one "$name"; done; }

etcd_agrees() { curl -fsS -m 1 "http://127.0.0.1:$(port 0 1)/health" | grep -q true; }
standby_is_synchronous() { curl -fsS -m 1 "http://127.0.0.1:$(port 30 1)/cluster" | grep -q sync_standby; }
redis_has_replicas() { redis-cli -p "$(port 40 1)" info replication | grep -q 'connected_slaves:2'; }
web_answers() { curl -fsS -m 1 "http://127.0.0.1:$((base + 70 + $1))/_internal/ready"; }

up() {
	[ $# = 1 ] || fail "usage: scripts/cluster.sh up DIR"
	local program
	for program in etcd patroni redis-server redis-cli curl setsid pg_isready; do
		command -v "$program" >/dev/null || PATH=$PATH:$(pg_bin):/usr/sbin command -v "$program" >/dev/null || fail "$program is not installed: run scripts/install.sh --cluster"
	done
	mkdir -p "$1"
	dir=$(cd "$1" && pwd)
	[ -f "$dir/etc/gpatlas.env" ] || write_settings
	echo "$dir" >"$last"
	start_all etcd1 etcd2 etcd3 redis1 redis2 redis3
	until_true 20 "a quorum of etcd" etcd_agrees
	start_all patroni1 haproxy
	until_true 30 "a primary of PostgreSQL" curl -fsS -m 1 "http://127.0.0.1:$(port 30 1)/primary"
	start_all patroni2 patroni3
	until_true 20 "two replicas of Redis" redis_has_replicas
	start_all sentinel1 sentinel2 sentinel3
	until_true 30 "a synchronous standby" standby_is_synchronous
	until_true 20 "HAProxy's way to the primary" pg_isready -q -h 127.0.0.1 -p $((base + 90))
	gpatlas migrate up >>"$dir/log/migrate.log" 2>&1 || fail "gpatlas migrate up failed: see $dir/log/migrate.log"
	start_all web1 web2 worker1 worker2
	until_true 30 web1 web_answers 1
	until_true 30 web2 web_answers 2
	until_true 10 "HAProxy's way to a web process" curl -fsS -m 1 "http://127.0.0.1:$base/health"
	echo "The cluster is up at http://127.0.0.1:$base after $((SECONDS - started)) s, in $dir"
}

# role NAME prints what a server says it is; nothing if it does not answer.
role() {
	case $1 in
	pg?) curl -sS -m 1 "http://127.0.0.1:$(port 30 "$1")/patroni" 2>/dev/null | sed -n 's/.*"role": *"\([a-z_]*\)".*/\1/p' ;;
	redis?) timeout 1 redis-cli -p "$(port 40 "$1")" info replication 2>/dev/null | tr -d '\r' | sed -n 's/^role://p' ;;
	esac
}

address() {
	case $1 in
	etcd?) port 0 "$1" ;;
	patroni?) port 30 "$1" ;;
	pg?) port 20 "$1" ;;
	redis?) port 40 "$1" ;;
	sentinel?) port 50 "$1" ;;
	haproxy) echo "$base" ;;
	web?) port 60 "$1" ;;
	worker?) port 80 "$1" ;;
	esac
}

status() {
	local name pid separator=""
	[ "${1:-}" != --json ] || printf '{"url": "http://127.0.0.1:%s", "processes": [' "$base"
	for name in $(names); do
		case $name in
		pg?) pid=$(pg_processes "$name" | head -n 1) ;;
		*) pid=$(pid_of "$name") ;;
		esac
		alive "$pid" || pid=""
		if [ "${1:-}" = --json ]; then
			printf '%s{"name": "%s", "kind": "%s", "role": "%s", "pid": %s, "address": "127.0.0.1:%s"}' \
				"$separator" "$name" "${name%[0-9]}" "$(role "$name")" "${pid:-null}" "$(address "$name")"
			separator=", "
		else
			printf '%-10s %-8s %-8s 127.0.0.1:%s\n' "$name" "${pid:--}" "$(role "$name")" "$(address "$name")"
		fi
	done
	[ "${1:-}" != --json ] || echo ']}'
}

# signal SIGNAL NAME signals the processes of one name.
signal() {
	local name=$2 pids
	[[ " $(names) " == *" $name "* ]] || fail "there is no $name: the names are $(names)"
	case $name in
	pg?)
		pids=$(pg_processes "$name")
		case $1 in
		STOP | CONT) pids="$pids $(pid_of "patroni$(number "$name")")" ;;
		KILL) pids=$(head -n 1 <<<"$pids") ;; # its children end by themselves
		esac
		;;
	*) pids=$(pid_of "$name") ;;
	esac
	# shellcheck disable=SC2086 # several pids
	[ -z "${pids// /}" ] || kill "-$1" $pids 2>/dev/null || true
}

gone() { ! alive "$1"; }

# end_one SIGNAL NAME waits until the process has ended, so that it can be started again at once.
end_one() {
	local pid
	pid=$(pid_of "$2")
	signal "$1" "$2"
	[ -z "$pid" ] || until_true 60 "the end of $2" gone "$pid"
}

down() {
	local name
	for name in $(names); do signal CONT "$name"; done
	for name in worker{1,2} web{1,2} haproxy; do signal TERM "$name"; done
	for name in worker{1,2} web{1,2} haproxy patroni{3,2,1} sentinel{1,2,3} redis{1,2,3} etcd{1,2,3}; do end_one TERM "$name"; done
}

command=${1:-}
shift || true
if [ "$command" != up ] && [ -z "$dir" ]; then
	dir=$(cat "$last" 2>/dev/null) || fail "no cluster was started: scripts/cluster.sh up DIR"
fi
PATH=$PATH:/usr/lib/postgresql/$( (ls /usr/lib/postgresql 2>/dev/null || true) | sort -V | tail -n 1)/bin
case $command in
up) up "$@" ;;
status) status "$@" ;;
kill) end_one KILL "$1" ;;
stop) signal STOP "$1" ;;
cont) signal CONT "$1" ;;
term) end_one TERM "$1" ;;
start) start_one "$1" ;;
run) gpatlas "$@" ;;
down) down ;;
*) sed -n '6,14s/^# \{0,3\}/  /p' "$0" >&2 && exit 2 ;;
esac
