#!/bin/sh
# oidc-agent waits for the callback itself. Its secrets are in a folder of its own.
set -e
export OIDC_DIR="$DIRECTORY/oidc-agent-$PORT" PASSWORD=password HOME="$DIRECTORY"
mkdir -p "$OIDC_DIR"
eval "$(oidc-agent)" > /dev/null
trap 'kill $OIDCD_PID' EXIT
settings=$(printf %s "$SETTINGS" | sed -n 's/.*"scope":"\([^"]*\)".*/\1/p')
stdbuf -oL oidc-gen client -m --iss="$ISSUER" --client-id="$CLIENT_ID" --client-secret="$CLIENT_SECRET" \
  --redirect-uri="$REDIRECT_URI" --scope="${settings:-openid email profile offline_access}" --flow=code --no-url-call \
  --confirm-yes --confirm-default --pw-env=PASSWORD --cert-path="$SSL_CERT_FILE" 2>&1 < /dev/null |
  tee "$OIDC_DIR/output" >&2 &
for _ in $(seq 300); do
  url=$(grep -o "$ISSUER/oauth/authorize[^ ]*" "$OIDC_DIR/output" 2> /dev/null | head -1) || true
  [ -z "$url" ] || break
  sleep 0.1
done
echo "$url"
wait $! || true
token=$(oidc-token client)
curl -s "$ISSUER/oauth/userinfo" -H "Authorization: Bearer $token"
echo
echo
