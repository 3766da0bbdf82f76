#!/bin/sh
# A developer's whole way with GP Atlas, over HTTP: register, confirm the address, sign in, make a key, use it up, look at
# what it used, reset the password, delete the account and take it back.
#
#   gpatlas dev                              # in one terminal; it says where its data folder is
#   docs/accounts.sh http://127.0.0.1:8080 DATA_FOLDER/mail
#
# It needs curl. Without an SMTP server, mails are files in the data folder: the second argument. The calls of a day are
# used up by the limits of the tier "starter" (10 in 5 seconds, 60 in a minute, 100 a day), so it takes some eighty seconds.
# However it ends, the account is deleted.
set -eu

[ $# -eq 2 ] || { echo "usage: $0 URL DATA_FOLDER/mail (gpatlas dev prints both)" >&2; exit 2; }
base=$1/v1
mails=$2
# random: 16 characters that nobody guesses. The account is of this run only.
random() { od -An -N8 -tx1 /dev/urandom | tr -d ' \n'; }
email="ada.$(random)@larkspur.example"
old_password="a quiet harbour at dawn $(random)"
new_password="rain over the northern pier $(random)"
password=$old_password # the one that holds

say() { printf '%s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

# call METHOD PATH [BODY]: the answer's body goes to stdout; $status and $headers tell of the rest. $token is sent where set.
headers=$(mktemp)
body=$(mktemp)
trap finish EXIT
trap 'exit 1' HUP INT TERM
registered=
token=
call() {
    set -- "$1" "$2" "${3-}"
    status=$(curl -sS -o "$body" -D "$headers" -w '%{http_code}' -X "$1" "$base$2" \
        ${token:+-H "Authorization: Bearer $token"} \
        ${3:+-H 'Content-Type: application/json' --data "$3"})
}
want() { [ "$status" = "$1" ] || fail "$2: status $status, not $1: $(cat "$body")"; say "ok: $2"; }
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$body" | head -n 1; }
header() { tr -d '\r' <"$headers" | sed -n "s/^$1: //Ip" | head -n 1; }

# mailed WORD: waits for the newest mail about WORD and gives the token in its link.
mailed() {
    tries=0
    while :; do
        for mail in $(ls -r "$mails"/*.eml 2>/dev/null); do
            grep -q "$email" "$mail" && grep -q "$1?token=" "$mail" || continue
            sed -n "s/.*$1?token=\([A-Za-z0-9_-]*\).*/\1/p" "$mail" | head -n 1
            return
        done
        tries=$((tries + 1))
        [ "$tries" -lt 150 ] || fail "no mail about $1 in $mails"
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
        call POST /auth/login "{\"username\":\"$email\",\"password\":\"$password\"}"
        token=$(field access_token)
        call DELETE /me/account "{\"confirmation\":\"DELETE\",\"password\":\"$password\"}"
        [ "$status" = 204 ] || { say "FAILED: the account $email is still there: $(cat "$body")"; result=1; }
    fi
    rm -f "$headers" "$body"
    exit "$result"
}

call POST /auth/register "{\"email\":\"$email\",\"password\":\"$old_password\",\"full_name\":\"Ada Larkspur\"}"
want 201 "registered as $email"
registered=yes

call POST /auth/verify-email "{\"token\":\"$(mailed verify-email)\"}"
want 200 "address confirmed with the link in the mail"

call POST /auth/login "{\"username\":\"$email\",\"password\":\"$old_password\"}"
want 200 "signed in"
token=$(field access_token)

call POST /api-keys '{"name":"tour","tier":"starter"}'
want 201 "made a live key"
session=$token
key=$(field key)
id=$(field id)
[ "${#key}" = 52 ] || fail "the key has ${#key} characters"

token=$key
passed=0
while :; do
    # Looking at what was used takes nothing from the day.
    if [ "$passed" = 95 ] && [ -z "${seen-}" ]; then
        tries=0
        until [ -n "${seen-}" ]; do
            call GET /usage
            if [ "$status" = 429 ]; then
                sleep "$(header Retry-After)" # the burst or the minute is full
                continue
            fi
            [ "$status" = 200 ] || break
            # Refused calls are counted too, as failed.
            grep -Eq '"successful":9[0-9]' "$body" && seen=$(cat "$body")
            tries=$((tries + 1))
            [ "$tries" -lt 20 ] || break
            [ -n "${seen-}" ] || sleep 5.5 # the counts are written every five seconds
        done
        [ -n "${seen-}" ] || fail "usage does not show the calls: $(cat "$body")"
        say "ok: usage shows them: $seen"
    fi
    call GET '/gps?per_page=1'
    case $status in
    200) passed=$((passed + 1)) ;;
    429)
        [ "$(header X-RateLimit-Remaining)" = 0 ] && break
        sleep "$(header Retry-After)" # the burst or the minute is full, not the day
        ;;
    *) fail "call $((passed + 1)): status $status: $(cat "$body")" ;;
    esac
done
[ "$passed" = 100 ] || fail "$passed calls passed, not 100"
grep -q '"code":"rate_limit_exceeded"' "$body" || fail "the refusal is $(cat "$body")"
say "ok: call 101 refused: $(field detail)"

token=
call POST /auth/forgot-password "{\"email\":\"$email\"}"
want 200 "asked for a new password"
call POST /auth/reset-password "{\"token\":\"$(mailed reset-password)\",\"new_password\":\"$new_password\"}"
want 200 "set it with the link in the mail"
password=$new_password
token=$session
call GET /auth/me
want 401 "the old session has ended"
token=
call POST /auth/login "{\"username\":\"$email\",\"password\":\"$old_password\"}"
want 401 "the old password is refused"
call POST /auth/login "{\"username\":\"$email\",\"password\":\"$new_password\"}"
want 200 "signed in with the new one"
token=$(field access_token)

call DELETE /me/account "{\"confirmation\":\"DELETE\",\"password\":\"$new_password\"}"
want 204 "deleted the account"
registered=
token=
call POST /auth/login "{\"username\":\"$email\",\"password\":\"$new_password\"}"
want 401 "it cannot sign in"
call POST /me/account/recover "{\"email\":\"$email\",\"password\":\"$new_password\"}"
want 200 "took it back"
registered=yes
call POST /auth/login "{\"username\":\"$email\",\"password\":\"$new_password\"}"
want 200 "signed in again"
token=$(field access_token)
call GET "/api-keys/$id"
want 200 "the key is still listed"
grep -q '"revoked_at":"' "$body" || fail "deleting the account did not revoke its key: $(cat "$body")"
say "done"
