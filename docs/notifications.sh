#!/bin/sh
# From a watchlist to a digest and back, over HTTP: watch a GP, load a new filing of it, get the digest, follow its link, and
# unsubscribe.
#
#   gpatlas dev                                                # in one terminal; it says where its data folder is
#   docs/notifications.sh http://127.0.0.1:8080 DATA_FOLDER [FOLDER_OF_MAILS]
#
# It needs curl and gpatlas: in the PATH, or built (make build). Without an SMTP server, mails are files in the data
# folder, or in the folder that MAIL_DIR named to gpatlas dev: the last argument. It may take a minute: the waiting mails are sent at most once a minute by hand.
#
# It works only where the sample is loaded. No GP of the sample is changed: the new filings are those of a GP of its own, CRD 999999901, which
# stays in the catalog. However it ends, its account loses the rights of an administrator and is deleted.
set -eu

[ $# -eq 2 ] || [ $# -eq 3 ] || { echo "usage: $0 URL DATA_FOLDER [FOLDER_OF_MAILS] (gpatlas dev prints them)" >&2; exit 2; }
base=$1/v1
data=$2
mails=${3:-$2/mail}
# random: 16 characters that nobody guesses. The account is of this run only.
random() { od -An -N8 -tx1 /dev/urandom | tr -d ' \n'; }
email="ada.$(random)@larkspur.example"
password="a quiet harbour at dawn $(random)"
crd=999999901
agent='Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

say() { printf '%s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

# What is needed is looked for before an account is made.
PATH=$PATH:$(dirname "$0")/../bin
for program in curl gpatlas; do
    command -v "$program" >/dev/null || fail "$program is not in the PATH; for gpatlas, run make build first"
done
[ -d "$data" ] || fail "there is no data folder $data; gpatlas dev prints where it is"
curl -sf -o /dev/null "$1/health" || fail "$1/health does not answer: is gpatlas dev running there?"
case $(curl -sS "$base/gps/763283") in
*ZEPHANFORD*) ;;
*) fail "$1 does not have the sample; this script loads invented filings, so it works on the sample only" ;;
esac

# call METHOD PATH [BODY]: the answer's body goes to $body, its status to $status. $token is sent where set.
folder=$(mktemp -d)
body=$folder/body
trap finish EXIT
trap 'exit 1' HUP INT TERM
token=
registered=
granted=
call() {
    set -- "$1" "$2" "${3-}"
    status=$(curl -sS -o "$body" -w '%{http_code}' -X "$1" "$base$2" ${token:+-H "Authorization: Bearer $token"} \
        ${3:+-H 'Content-Type: application/json' --data "$3"})
}
want() { [ "$status" = "$1" ] || fail "$2: status $status, not $1: $(cat "$body")"; }
has() { grep -q -- "$1" "$body" || fail "the response lacks $1: $(cat "$body")"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$body" | sed -n 1p; }

# letter TEXT: the newest mail to the account that has a text, as a file; nothing if there is none.
letter() {
    for mail in $(ls -r "$mails"/*.eml 2>/dev/null); do
        if grep -q "$email" "$mail" && grep -q -- "$1" "$mail"; then
            printf '%s\n' "$mail"
            return
        fi
    done
}

# mailed TEXT [COMMAND…]: waits for such a mail; the command is run before each look.
mailed() {
    text=$1
    shift
    tries=0
    while :; do
        [ $# -eq 0 ] || "$@"
        found=$(letter "$text")
        [ -z "$found" ] || return 0
        tries=$((tries + 1))
        [ "$tries" -lt 180 ] || fail "no mail with \"$text\" in $mails"
        sleep 0.5
    done
}

# finish takes back the rights and deletes the account, on every way out.
finish() {
    result=$?
    trap - EXIT
    set +e
    if [ -n "$granted" ]; then
        gpatlas admin revoke "$email" --data-dir "$data" >/dev/null || { say "FAILED: $email is still an administrator"; result=1; }
    fi
    if [ -n "$registered" ]; then
        token=
        call POST /auth/login "{\"username\":\"$email\",\"password\":\"$password\"}"
        token=$(field access_token)
        call DELETE /me/account "{\"confirmation\":\"DELETE\",\"password\":\"$password\"}"
        [ "$status" = 204 ] || { say "FAILED: the account $email is still there: $(cat "$body")"; result=1; }
    fi
    rm -rf "$folder"
    exit "$result"
}

call POST /auth/register "{\"email\":\"$email\",\"password\":\"$password\",\"full_name\":\"Ada Larkspur\"}"
want 201 "register"
registered=yes
mailed 'verify-email?token='
call POST /auth/verify-email "{\"token\":\"$(sed -n 's/.*verify-email?token=\([A-Za-z0-9_-]*\).*/\1/p' "$found" | sed -n 1p)\"}"
want 200 "verify the address"
granted=yes
gpatlas admin grant "$email" --data-dir "$data" >/dev/null
call POST /auth/login "{\"username\":\"$email\",\"password\":\"$password\"}"
want 200 "sign in"
token=$(field access_token)
say "ok: signed in as $email, an administrator"

# file DAY: loads a filing of the GP: a Form ADV archive with one row. It lacks most columns and tables, which the quality gate has to be told.
file() {
    filing=$(date +%s)$1 # two filings of one second have different numbers
    archive=$folder/ADV_Filing_Data_202611$1_202611$1
    mkdir "$archive"
    printf 'FilingID,DateSubmitted,1A,1E1\n%s,11/%s/2026 03:04:05 PM,Larkspur Test Filing LLC,%s\n' "$filing" "$1" "$crd" \
        >"$archive/IA_ADV_Base_A_202611$1_202611$1.csv"
    gpatlas ingest --data-dir "$data" --accept column_lost,table_lost "$archive" >"$folder/log" 2>&1 || fail "ingest: $(cat "$folder/log")"
}

file 05
watch() { call POST /me/watchlist "{\"adviser_crd\":\"$crd\"}"; }
tries=0
while watch && [ "$status" = 404 ]; do # the service reads the load within seconds
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || break
    sleep 0.5
done
want 201 "watch the GP"
say "ok: watching GP $crd"

file 12
call GET '/me/activity?limit=100&known_since=2000-01-01'
want 200 "activity"
has "\"accession_number\":\"ADV-$crd-$filing\""
say "ok: a new filing of GP $crd is loaded"

call POST /admin/jobs/daily-digest
want 202 "start the digest"
has '"status":"accepted"'
deliver() { call POST /admin/jobs/process-queue; want 202 "send the waiting mails"; }
mailed 'on your watchlist' deliver
tr -d '\r' <"$found" >"$folder/digest"
grep -q 'Form ADV amendment' "$folder/digest" || fail "the digest does not tell of the filing: $(cat "$folder/digest")"
grep -q '^List-Unsubscribe-Post: List-Unsubscribe=One-Click$' "$folder/digest" || fail "the digest cannot be refused by one click"
say "ok: the digest tells of it"

call POST /admin/jobs/daily-digest
want 202 "start the digest again"
has '"status":"already_started"'
say "ok: a second start on the same day does nothing"

# The link of the GP passes through the count of clicks, which refuses every other destination.
link=$(sed -n 's/^\(http[^" ]*\/v1\/track\/click\/[^" ]*\)$/\1/p' "$folder/digest" | sed -n 1p)
[ -n "$link" ] || fail "the digest has no counted link: $(cat "$folder/digest")"
[ "$(curl -sS -o "$body" -w '%{http_code}' "${link%%\?*}?url=aHR0cHM6Ly9ldmlsLmV4YW1wbGU")" = 400 ] || fail "another destination: $(cat "$body")"
reached=$(curl -sS -L -A "$agent" -o "$body" -w '%{http_code} %{url_effective}' "$link")
[ "$reached" = "200 ${base%/v1}/gps/$crd" ] || fail "the link leads to $reached"
say "ok: the link in the digest leads to GP $crd"

link=$(sed -n 's/.*\(http[^" <>]*\/v1\/unsubscribe\/[^" <>]*\).*/\1/p' "$folder/digest" | sed -n 1p)
[ "$(curl -sS -o "$body" -w '%{http_code}' "$link")" = 200 ] || fail "the unsubscribe page: $(cat "$body")"
call GET /me/notifications/preferences
has '"activity_digest":true'
say "ok: looking at the unsubscribe page changes nothing"
[ "$(curl -sS -o "$body" -w '%{http_code}' --data 'List-Unsubscribe=One-Click' "$link")" = 200 ] || fail "unsubscribe: $(cat "$body")"
call GET /me/notifications/preferences
has '"activity_digest":false'
has '"market_intel":true'
say "ok: one click turned digests off, and nothing else"
say "done"
