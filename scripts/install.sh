#!/usr/bin/env bash
# Installs what GP Atlas needs and this machine lacks, and nothing else: the PostgreSQL server's programs and redis-server;
# with --test also a C compiler (the race detector needs one), ps, make, curl and jq (tests run the commands of the docs), the
# proxies that the web process is tried behind, Chromium, in which the pages are tried, axe-core, which tries how accessible they
# are, and stripe-mock, which checks what we ask of Stripe; with --cluster also what scripts/cluster.sh runs: Patroni, etcd and HAProxy.
# Programs only: no server is set up or started.
# It may run any number of times; with everything there it needs no rights and no network.
set -euo pipefail

root=${GPATLAS_INSTALL_ROOT:-} # where / is, for the tests of this script
for_tests=false
for_cluster=false
case "${1:-}" in
"") ;;
--test) for_tests=true ;;
--cluster) for_cluster=true ;;
*)
	echo "usage: scripts/install.sh [--test | --cluster]" >&2
	exit 2
	;;
esac

say() { echo "install: $*"; }
fail() {
	echo "install: $*" >&2
	exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# any_executable PATTERN… succeeds if one of the files is there and can be run.
any_executable() {
	local file
	for file in "$@"; do
		if [ -x "$file" ]; then return 0; fi
	done
	return 1
}

have_postgres() {
	if have initdb && have postgres; then return 0; fi
	any_executable "$root"/usr/lib/postgresql/*/bin/initdb "$root"/usr/pgsql-*/bin/initdb \
		"$root"/opt/homebrew/opt/postgresql*/bin/initdb "$root"/usr/local/opt/postgresql*/bin/initdb \
		"$root"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin/initdb
}

# have_proxy NAME also looks where Debian puts servers, which is not on everybody's PATH.
have_proxy() { have "$1" || any_executable "$root/usr/sbin/$1"; }

have_redis() { have redis-server || have valkey-server; }
have_browser() { have chromium || have chromium-browser || have google-chrome || have google-chrome-stable; }
have_compiler() { have "${CC:-cc}" || have gcc || have clang; }

# check_go wants the version that go.mod names. A Go since 1.21 fetches that by itself when it may.
check_go() {
	local wanted found
	wanted=$(sed -n 's/^go //p' "$(dirname "$0")/../go.mod")
	if ! have go; then
		fail "Go $wanted or newer is needed and there is no go on PATH: see https://go.dev/doc/install"
	fi
	if ! found=$(cd "$(dirname "$0")/.." && go env GOVERSION 2>&1); then
		fail "Go $wanted or newer is needed: see https://go.dev/doc/install (go says: ${found//$'\n'/ })"
	fi
	found=${found##*$'\n'} # the last line: a download announces itself before
	found=${found#go}
	found=${found%%[^0-9.]*}
	if [ "$(printf '%s\n%s\n' "$wanted" "$found" | sort -t. -k1,1n -k2,2n -k3,3n | head -n 1)" != "$wanted" ]; then
		fail "Go $wanted or newer is needed, this is $found: see https://go.dev/doc/install"
	fi
}

# as_root runs a command with an administrator's rights, asking for a password only where somebody can answer.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo "$@"
	else
		sudo -n "$@"
	fi
}

may_be_root() {
	if [ "$(id -u)" = 0 ]; then return 0; fi
	if ! have sudo; then return 1; fi
	[ -t 0 ] || sudo -n true 2>/dev/null
}

# On Debian a package starts what it installs. Two guards keep these from it while we install, and are taken away after:
# a rule that no cluster is to be made, and the file that tells package scripts to leave services alone.
cluster_rule=$root/etc/postgresql-common/createcluster.d/gpatlas-install.conf
service_rule=$root/usr/sbin/policy-rc.d
guards=()

guard() { # guard FILE MODE TEXT
	if [ -e "$1" ]; then return 0; fi
	guards+=("$1")
	as_root mkdir -p "$(dirname "$1")"
	printf '%s\n' "$3" | as_root tee "$1" >/dev/null
	as_root chmod "$2" "$1"
}

unguard() {
	if [ ${#guards[@]} -gt 0 ]; then as_root rm -f "${guards[@]}"; fi
	guards=()
}

install_with_apt() {
	local packages=("$@") service
	may_be_root || fail "needs root to install ${packages[*]}; as root: apt-get install ${packages[*]}"
	say "installing with apt-get: ${packages[*]}"
	trap unguard EXIT
	guard "$cluster_rule" 644 "create_main_cluster = false"
	guard "$service_rule" 755 $'#!/bin/sh\nexit 101'
	as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
		say "the package lists could not be refreshed; trying with those that are here"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -o DPkg::Lock::Timeout=300 -y -qq --no-install-recommends "${packages[@]}" ||
		fail "apt-get could not install ${packages[*]}; its own words are above"
	# Not now and not at the next boot either: GP Atlas and its tests start private ones themselves.
	if have systemctl && [ -d "$root/run/systemd/system" ]; then
		for service in redis-server haproxy nginx pgbouncer etcd patroni; do
			case " ${packages[*]} " in *" $service"*) ;; *) continue ;; esac
			as_root systemctl disable --now "$service" >/dev/null 2>&1 || say "could not switch off the service $service"
		done
	fi
	unguard
}

install_with_brew() {
	have brew || fail "needs Homebrew to install $*: see https://brew.sh"
	[ "$(id -u)" != 0 ] || fail "Homebrew refuses root; as an ordinary user: brew install $*"
	say "installing with Homebrew: $*"
	brew install --quiet "$@" || fail "Homebrew could not install $*; its own words are above"
}

# install_browser brings Chromium for the tests of the pages. They are skipped without one, so it may fail: Ubuntu, for one,
# has it only as a snap. On macOS an installed Chrome is not looked for.
install_browser() {
	if have_browser || ! have apt-get; then return 0; fi
	(install_with_apt chromium fonts-dejavu-core) ||
		say "there is no Chromium: tests of the pages in a browser are skipped"
}

# install_stripe_mock builds stripe-mock into a folder of its own, where its tests look for it; they fail without it. It is no
# tool of go.mod, whose checksums would have to contain everything that it needs.
install_stripe_mock() {
	local version=0.203.0 dir
	dir=${root:-$(cd "$(dirname "$0")/.." && pwd)}/bin/stripe-mock-$version
	if [ -x "$dir/stripe-mock" ]; then return 0; fi
	say "building stripe-mock $version"
	GOBIN=$dir GOFLAGS=-mod=mod go install "github.com/stripe/stripe-mock@v$version" ||
		say "there is no stripe-mock: the tests of Stripe's client fail"
}

# install_axe fetches axe-core, which tries how accessible pages are, into bin. Without it our own check of accessibility runs alone.
install_axe() {
	local version=4.14.1 sum=e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745 dir
	dir=${root:-$(cd "$(dirname "$0")/.." && pwd)}/bin/axe-core-$version
	if [ -e "$dir/axe.min.js" ]; then return 0; fi
	say "fetching axe-core $version"
	(
		set -e
		mkdir -p "$dir"
		trap 'rm -f "$dir/axe.tgz"' EXIT
		curl -fsS --max-time 60 -o "$dir/axe.tgz" "https://registry.npmjs.org/axe-core/-/axe-core-$version.tgz"
		echo "$sum  $dir/axe.tgz" | sha256sum -c --quiet
		tar -xzf "$dir/axe.tgz" -C "$dir" --strip-components=1 package/axe.min.js
	) || say "there is no axe-core: pages are not tried with it"
}

main() {
	local system tool missing=() postgres=postgresql redis=redis-server
	check_go # first: without it the rest would be of no use yet
	system=$(uname -s)
	if [ "$system" = Darwin ]; then
		postgres=postgresql@17 redis=redis
	fi
	have_postgres || missing+=("$postgres")
	have_redis || missing+=("$redis")
	if $for_tests; then
		if ! have_compiler; then
			[ "$system" != Darwin ] || fail "needs a C compiler for the race detector: xcode-select --install"
			missing+=(gcc libc6-dev)
		fi
		have ps || missing+=(procps)
		for tool in make curl jq; do have "$tool" || missing+=("$tool"); done
		have_proxy haproxy || missing+=(haproxy)
		have_proxy nginx || missing+=(nginx)
		have_proxy pgbouncer || missing+=(pgbouncer)
	fi

	if $for_cluster; then
		have apt-get || fail "knows the packages of a cluster on Debian and Ubuntu only"
		have patroni || missing+=(patroni python3-etcd)
		have etcd || missing+=(etcd-server)
		have_proxy haproxy || missing+=(haproxy)
		for tool in curl jq; do have "$tool" || missing+=("$tool"); done
	fi

	if [ ${#missing[@]} -gt 0 ]; then
		if [ "$system" = Darwin ]; then
			install_with_brew "${missing[@]}"
		elif have apt-get; then
			install_with_apt "${missing[@]}"
		else
			fail "knows apt-get (Debian, Ubuntu) and Homebrew only; install what these are called here: ${missing[*]}"
		fi
		have_postgres || fail "PostgreSQL was installed, but its initdb is not where we look: put it on PATH"
		have_redis || fail "Redis was installed, but there is no redis-server on PATH"
	fi
	if $for_tests; then
		install_browser
		install_stripe_mock
		install_axe
	fi
	if [ ${#missing[@]} -eq 0 ]; then say "everything is there"; fi
}

main
