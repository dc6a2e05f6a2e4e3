#!/bin/sh
# Uses a session of the demo without any kit: footbridge exec --config footbridge.yaml -- ./shop.sh
set -eu

API="$FOOTBRIDGE_URL/__footbridge/api/v1"
api() { curl --fail-with-body -sS -H "Authorization: Bearer $FOOTBRIDGE_CONTROL_TOKEN" -H "Content-Type: application/json" "$@"; }

session=$(api -d '{"name": "curl", "account": "eva"}' "$API/sessions" | jq -r .id)
url=$(api -d '{"to": "/"}' "$API/sessions/$session/enter" | jq -r .url)

# The first visit enters the session; the cookie jar keeps it.
jar=$(mktemp)
trap 'rm -f "$jar"' EXIT
curl -sS --cookie-jar "$jar" --location "$url" >/dev/null
curl -sS --cookie "$jar" "$FOOTBRIDGE_URL/" | grep -o '<title>.*</title>'

# What somebody bought before.
api -d '{"product": "daylight.credits.10"}' "$API/sessions/$session/purchases" | jq -r ".purchases[0].product"
api "$API/sessions/$session/purchases" | jq '.purchases | length'
