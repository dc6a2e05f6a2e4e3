#!/usr/bin/env bash
# Asks the Merchant API for the purchases of $ORDER_ID. Does not check the signature of the answer. docs/merchant-api.md explains the variables.
set -eu

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

now=$(date +%s)
header=$(printf '{"alg":"HS256","typ":"JWT","kid":"%s"}' "$MERCHANT_KEY_ID" | base64url)
claims=$(printf '{"iss":"onside","aud":"onside","sub":"%s","nbf":%d,"exp":%d,"jti":"%s"}' \
  "$MERCHANT_ID" "$((now - 1))" "$((now + 20))" "$(openssl rand -hex 16)" | base64url)
signature=$(printf '%s.%s' "$header" "$claims" | openssl dgst -sha256 -hmac "$MERCHANT_SECRET" -binary | base64url)

curl --fail --silent --show-error --header "Authorization: Bearer $header.$claims.$signature" \
  "$ONSIDE/merchant-api/v1/purchases/in-app/history/$ORDER_ID"
