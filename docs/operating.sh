#!/bin/sh
# A day of an operator, over HTTP: a source is late; it is extracted, and the quality gate stops one of its files; the file is right, so
# it is accepted; a quality metric raises an alert, which is acknowledged and resolved; the audit shows who did what.
#
#   docs/operating.sh http://127.0.0.1:8080 ACCESS_TOKEN SOURCE CHECK 'gpatlas --flags…'
#
# ACCESS_TOKEN is of an administrator's session (gpatlas admin grant EMAIL). SOURCE has a file that CHECK of the quality gate stops.
# It works on the sample only, because it accepts the file and resolves the alert with an invented reason.
#
# The last argument is how to call gpatlas on this service's database: 'gpatlas' with DATABASE_URL set. It needs curl.
set -eu

[ $# -eq 5 ] || { echo "usage: $0 URL ACCESS_TOKEN SOURCE CHECK 'gpatlas --flags…'" >&2; exit 2; }
base=$1/v1/admin/dataops
token=$2
source=$3
check=$4
gpatlas=$5

say() { printf '%s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

PATH=$PATH:$(dirname "$0")/../bin
command -v "${gpatlas%% *}" >/dev/null || fail "${gpatlas%% *} is not in the PATH; for gpatlas, run make build first"
curl -sf -o /dev/null "$1/health" || fail "$1/health does not answer: is gpatlas dev running there?"
case $(curl -sS -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" "$base/health") in
401 | 403) fail "$1 does not take the access token: it must be of an administrator's session that is still open" ;;
esac
case $(curl -sS -H "Authorization: Bearer $token" "$1/v1/gps/763283") in
*ZEPHANFORD*) ;;
*) fail "$1 does not have the sample; this script accepts a file and resolves an alert, so it works on the sample only" ;;
esac

# call METHOD PATH [BODY]: the answer's body goes to $body, its status to $status.
body=$(mktemp)
trap 'rm -f "$body"' EXIT
trap 'exit 1' HUP INT TERM
call() {
    set -- "$1" "$2" "${3-}"
    status=$(curl -sS -o "$body" -w '%{http_code}' -X "$1" "$base$2" -H "Authorization: Bearer $token" \
        ${3:+-H 'Content-Type: application/json' --data "$3"})
}
want() { [ "$status" = "$1" ] || fail "$2: status $status, not $1: $(cat "$body")"; }
has() { grep -q -- "$1" "$body" || fail "the response lacks $1: $(cat "$body")"; }
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$body" | sed -n 1p; }

# ends RUN_ID STATE: waits until an extraction has ended in a state.
ends() {
    tries=0
    while call GET "/extractions/$1" && grep -qE '"state":"(queued|running)","trigger"' "$body"; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || fail "extraction $1 does not end: $(cat "$body")"
        sleep 0.2
    done
    has "\"state\":\"$2\",\"trigger\""
}

# alert KIND: the ID of the open alert of a kind.
alert() {
    call GET '/quality/alerts'
    want 200 "alerts"
    sed 's/},{/}\n{/g; s/"data":\[/&\n/' "$body" | sed -n "s/^{\"id\":\([0-9]*\),\"kind\":\"$1\".*/\1/p" | sed -n 1p
}

call GET /health
want 200 "health"
grep -q "Source $source is stale" "$body" || fail "source $source is not stale: docs/operating.md, \"The morning round\", describes what this script needs"
has '"status":"degraded"'
call GET /dashboard
want 200 "dashboard"
say "ok: the morning's health is degraded, because source $source is late"

call POST /extractions "{\"source\":\"$source\"}"
want 202 "extract the source"
run=$(number run_id)
call POST /extractions "{\"source\":\"$source\"}"
[ "$status" = 409 ] || [ "$status" = 202 ] || fail "a second extraction: status $status"
ends "$run" failed
has "stopped by the quality gate"
stopped=$(alert "$check")
[ -n "$stopped" ] || fail "there is no alert of $check: $(cat "$body")"
say "ok: extraction $run was stopped by $check, alert $stopped"

call POST "/quality/alerts/$stopped/acknowledge"
want 200 "acknowledge"
has '"state":"acknowledged"'
tries=0
while call POST /extractions "{\"source\":\"$source\",\"accept\":[\"$check\"]}" && [ "$status" = 409 ] && [ "$tries" -lt 300 ]; do
    tries=$((tries + 1))
    sleep 0.2
done
want 202 "extract it and accept the file"
ends "$(number run_id)" completed
[ -z "$(alert "$check")" ] || fail "the alert is still open: $(cat "$body")"
call GET /freshness
has "\"source\":\"$source\",\"title\":\"[^\"]*\",\"state\":\"fresh\""
say "ok: the file is right; it was accepted, its alert closed, and the source is fresh"

$gpatlas admin quality --measure >&2
found=$(alert aum_jumps)
[ -n "$found" ] || fail "there is no quality alert: $(cat "$body")"
rows=$($gpatlas admin quality aum_jumps | wc -l)
[ "$rows" -gt 0 ] || fail "the metric lists no rows"
call POST "/quality/alerts/$found/acknowledge"
want 200 "acknowledge"
call POST "/quality/alerts/$found/resolve" '{}'
want 400 "resolve without a reason"
call POST "/quality/alerts/$found/resolve" '{"reason":"The adviser confirmed the figure."}'
want 200 "resolve"
has '"state":"resolved"'
say "ok: alert $found about $rows rows was acknowledged and resolved"

for action in extraction.trigger alert.acknowledge alert.resolve; do
    $gpatlas admin audit | grep -q " $action " || fail "the audit lacks $action"
done
say "done"
