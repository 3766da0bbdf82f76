#!/bin/sh
# What an account can do about money, over HTTP: ask for a price, limit it, pay once, look at the bill, set a spending cap and
# reach it.
#
#   gpatlas dev                              # in one terminal; it says where its data folder is
#   docs/billing.sh http://127.0.0.1:8080 DATA_FOLDER/mail
#
# It needs curl. Without an SMTP server, mails are files in the data folder: the second argument. Nothing is collected without
# a Stripe key; the ledger is kept all the same. However it ends, its account is deleted.
set -eu

[ $# -eq 2 ] || { echo "usage: $0 URL DATA_FOLDER/mail (gpatlas dev prints both)" >&2; exit 2; }
base=$1/v1
mails=$2
# random: 16 characters that nobody guesses. The account is of this run only.
random() { od -An -N8 -tx1 /dev/urandom | tr -d ' \n'; }
email="ada.$(random)@larkspur.example"
password="a quiet harbour at dawn $(random)"

say() { printf '%s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

# call METHOD PATH [BODY]: the answer's body goes to $body; $status and $headers tell of the rest. $token is sent where set, and
# $header is one more header.
headers=$(mktemp)
body=$(mktemp)
trap finish EXIT
trap 'exit 1' HUP INT TERM
registered=
token=
header=
call() {
    set -- "$1" "$2" "${3-}"
    status=$(curl -sS -o "$body" -D "$headers" -w '%{http_code}' -X "$1" "$base$2" \
        ${token:+-H "Authorization: Bearer $token"} ${header:+-H "$header"} \
        ${3:+-H 'Content-Type: application/json' --data "$3"})
}
head() {
    status=$(curl -sS -o "$body" -D "$headers" -w '%{http_code}' --head "$base$1" ${token:+-H "Authorization: Bearer $token"})
}
want() { [ "$status" = "$1" ] || fail "$2: status $status, not $1: $(cat "$body")"; }
has() { grep -q -- "$1" "$body" || fail "the response lacks $1: $(cat "$body")"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$body" | sed -n 1p; }
number() { sed -n "s/.*\"$1\":\(-\{0,1\}[0-9.]*\).*/\1/p" "$body" | sed -n 1p; }
sent() { tr -d '\r' <"$headers" | sed -n "s/^$1: //Ip" | sed -n 1p; }
cost() { [ "$(sent X-Charge)" = "$1" ] || fail "$2: X-Charge is $(sent X-Charge), not $1"; }

# bill AMOUNT: what is spent and the sum of all purchases are the same amount.
bill() {
    call GET /settings/spending-cap
    want 200 "spending cap"
    spent=$(number spent)
    call GET '/me/purchases?limit=1'
    want 200 "purchases"
    listed=$(sed 's/.*"meta"//' "$body" | sed -n 's/.*"amount":\([0-9.]*\).*/\1/p')
    [ "$spent" = "$1" ] && [ "$listed" = "$1" ] || fail "spent $spent, listed $listed, not $1"
}

# mailed TEXT: waits for a mail to the account that has a text, and gives its file.
mailed() {
    tries=0
    while :; do
        for mail in $(ls -r "$mails"/*.eml 2>/dev/null); do
            if grep -q "$email" "$mail" && grep -q -- "$1" "$mail"; then
                printf '%s\n' "$mail"
                return
            fi
        done
        tries=$((tries + 1))
        [ "$tries" -lt 150 ] || fail "no mail with \"$1\" in $mails"
        sleep 0.2
    done
}

# finish deletes the account, on every way out.
finish() {
    result=$?
    trap - EXIT
    set +e
    if [ -n "$registered" ]; then
        token=
        header=
        call POST /auth/login "{\"username\":\"$email\",\"password\":\"$password\"}"
        token=$(field access_token)
        call DELETE /me/account "{\"confirmation\":\"DELETE\",\"password\":\"$password\"}"
        [ "$status" = 204 ] || { say "FAILED: the account $email is still there: $(cat "$body")"; result=1; }
    fi
    rm -f "$headers" "$body"
    exit "$result"
}

call POST /auth/register "{\"email\":\"$email\",\"password\":\"$password\",\"full_name\":\"Ada Larkspur\"}"
want 201 "register"
registered=yes
link=$(sed -n 's/.*verify-email?token=\([A-Za-z0-9_-]*\).*/\1/p' "$(mailed 'verify-email?token=')" | sed -n 1p)
call POST /auth/verify-email "{\"token\":\"$link\"}"
want 200 "verify the address"
call POST /auth/login "{\"username\":\"$email\",\"password\":\"$password\"}"
want 200 "sign in"
token=$(field access_token)
call GET '/gps?limit=1'
want 200 "find a GP"
crd=$(field crd)
say "ok: signed in as $email, GP $crd"

call GET "/gps/$crd/metrics?quote=true"
want 200 "quote"
has '"quote":true'
[ "$(number amount)" = 0.15 ] || fail "the quote is $(cat "$body")"
head "/gps/$crd/metrics"
[ "$(sent X-Charge-Estimate)" = 0.15 ] || fail "HEAD: X-Charge-Estimate is $(sent X-Charge-Estimate)"
bill 0
say "ok: a quote and HEAD say 0.15 and cost nothing"

call GET "/gps/$crd/metrics?max_charge=0.10"
want 402 "max_charge"
has '"code":"max_charge"'
call GET /gps/1/metrics
want 404 "a GP that does not exist"
call GET "/gps/$crd/metrics?max_charge=much"
want 400 "a malformed parameter"
bill 0
say "ok: a limit of 0.10, an unknown GP and a malformed parameter cost nothing"

call GET "/gps/$crd/metrics?max_charge=0.15"
want 200 "metrics"
cost 0.15 "metrics"
call GET "/gps/$crd/amendments"
cost 0.25 "amendments"
header="If-None-Match: $(sent ETag)"
call GET "/gps/$crd/amendments"
want 304 "amendments unchanged"
bill 0.4
say "ok: metrics cost 0.15; amendments cost 0.25, and nothing while they are unchanged"

header="Idempotency-Key: bill-$$"
call GET "/gps/$crd/metrics"
cost 0.15 "the first request with a key"
call GET "/gps/$crd/metrics"
want 200 "the same request again"
cost 0.00 "the same request again"
[ "$(sent Idempotent-Replayed)" = true ] || fail "the second response is not a replay"
header=
bill 0.55
say "ok: sent again with its Idempotency-Key, a request is charged once"

session=$token
call POST /api-keys '{"name":"trial","tier":"starter","mode":"test"}'
want 201 "make a test key"
token=$(field key)
call GET "/gps/$crd/metrics"
want 200 "metrics with a test key"
cost 0.00 "a test key"
token=$session
bill 0.55
call GET "/me/purchases/gp/$crd?limit=1"
has '"mode":"test"'
say "ok: a test key is charged nothing, and its requests are marked"

call PUT /settings/spending-cap '{"cap":9.99}'
want 400 "a cap below 10"
call PUT /settings/spending-cap '{"cap":10}'
want 200 "set the cap"
call PUT /settings/spending-cap/alerts '{"thresholds":[100,50,50]}'
want 200 "set the thresholds"
has '"thresholds":\[50,100\]'
calls=0
while call GET "/gps/$crd/amendments" && [ "$status" = 200 ]; do
    calls=$((calls + 1))
    [ "$calls" -lt 50 ] || fail "the cap does not hold"
done
want 402 "beyond the cap"
has '"code":"spending_cap"'
[ "$calls" = 37 ] || fail "$calls calls for 0.25 passed after 0.55, not 37"
bill 9.8
mailed 'reached 50% of your cap' >/dev/null
say "ok: a cap of 10 lets 37 calls for 0.25 pass after 0.55; at 50% there was an email"

call PUT /settings/spending-cap '{"cap":null}'
want 200 "remove the cap"
call PATCH /me/preferences '{"one_click_threshold":500.01}'
want 400 "a threshold above 500"
call PATCH /me/preferences '{"one_click_threshold":5,"email_receipts":false}'
want 200 "change preferences"
has '"one_click_threshold":5'
call POST /billing/checkout '{"plan":"pro"}'
[ "$status" = 503 ] || say "note: a Stripe key is configured; the checkout answered $status"
say "done"
