#!/bin/sh
# oidc-agent waits for the callback, or for the confirmation of the device, itself. Its secrets are in a folder of its own.
flow=${1:-code}
set -e
export OIDC_DIR="$DIRECTORY/oidc-agent-$PORT" PASSWORD=password HOME="$DIRECTORY"
mkdir -p "$OIDC_DIR"
# Not as a daemon, so that it ends with this group of processes.
stdbuf -oL oidc-agent -d > "$OIDC_DIR/agent" 2> /dev/null < /dev/null &
agent=$!
trap 'kill $agent' EXIT
for _ in $(seq 100); do
  ! grep -q OIDC_SOCK "$OIDC_DIR/agent" || break
  sleep 0.1
done
eval "$(grep OIDC_SOCK "$OIDC_DIR/agent")" > /dev/null
stdbuf -oL oidc-gen client -m --iss="$ISSUER" --client-id="$CLIENT_ID" --client-secret="$CLIENT_SECRET" \
  --redirect-uri="$REDIRECT_URI" --scope="openid email profile offline_access" --flow="$flow" --no-url-call \
  --confirm-yes --confirm-default --pw-env=PASSWORD --cert-path="$SSL_CERT_FILE" 2>&1 < /dev/null |
  tee "$OIDC_DIR/output" >&2 &
generation=$!
for _ in $(seq 300); do
  url=$(grep -o "$ISSUER/oauth/authorize[^ ]*" "$OIDC_DIR/output" 2> /dev/null | head -1) || true
  [ "$flow" = code ] || url=$(sed -n "s|^And enter the code: |$ISSUER/device?user_code=|p" "$OIDC_DIR/output")
  [ -z "$url" ] || break
  sleep 0.1
done
echo "$url"
wait $generation || true
token=$(oidc-token client)
curl -s "$ISSUER/oauth/userinfo" -H "Authorization: Bearer $token"
echo
echo
