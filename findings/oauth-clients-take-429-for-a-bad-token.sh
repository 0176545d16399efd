#!/bin/sh
# What three clients make of a token endpoint that answers 429 with a problem document (RFC 9457): requests-oauthlib says "Missing
# access token parameter", Perl's LWP::Authen::OAuth2 that a successful response has no token_type, also of a 503, and
# Authlib returns the document as the token. The status and Retry-After are lost: a program cannot wait as long as the server
# demands, and people look for the fault in the registration of their client.
# Expected: an error with the status, as simple-oauth2 has it; RFC 6749 section 5.1 describes a token response with status 200 only.
# Needs Debian 12's python3-requests-oauthlib, python3-authlib and liblwp-authen-oauth2-perl, and npm.
set -eu
fail() { echo "$*" >&2; exit 1; }
for package in python3-requests-oauthlib:1.3.0 python3-oauthlib:3.2.2 python3-authlib:1.2.0 liblwp-authen-oauth2-perl:0.20; do
  version=$(dpkg-query -W -f '${Version}' "${package%%:*}" 2>/dev/null) || fail "${package%%:*} is not installed"
  case "$version" in "${package##*:}"*) echo "${package%%:*} $version" ;; *) fail "unexpected: ${package%%:*} $version" ;; esac
done
echo 'simple-oauth2 5.1.0'
dir=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; wait; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund simple-oauth2@5.1.0
cat > provider.py <<'END'
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
class Provider(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass
    def do_POST(self):
        self.rfile.read(int(self.headers['content-length']))
        status = int(self.path[1:])
        body = json.dumps({'type': 'about:blank', 'title': 'Try again later', 'status': status}).encode()
        self.send_response(status)
        self.send_header('content-type', 'application/problem+json')
        self.send_header('retry-after', '7')
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = HTTPServer(('127.0.0.1', 0), Provider)
with open('port.new', 'w') as file:
    file.write(str(server.server_port))
os.rename('port.new', 'port')
server.serve_forever()
END
python3 provider.py &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -s port ] || sleep 0.5; done
OAUTHLIB_INSECURE_TRANSPORT=1
export OAUTHLIB_INSECURE_TRANSPORT
cat > check.py <<'END'
from authlib.integrations.requests_client import OAuth2Session as Authlib
from requests_oauthlib import OAuth2Session as RequestsOauthlib
base = 'http://127.0.0.1:' + open('port').read()
back = 'https://app.example/callback'
def show(name, status, fetch):
    try:
        print(f'{name}, {status}: token', dict(fetch(f'{base}/{status}')))
    except Exception as error:
        print(f'{name}, {status}: {error}')
requests_oauthlib = RequestsOauthlib('a', redirect_uri=back)
authlib = Authlib('a', 's', redirect_uri=back)
for status in (429, 503):
    show('requests-oauthlib', status, lambda url: requests_oauthlib.fetch_token(url, code='c', client_secret='s'))
    show('Authlib', status, lambda url: authlib.fetch_token(url, grant_type='authorization_code', code='c'))
END
cat > check.pl <<'END'
use strict;
use warnings;
use LWP::Authen::OAuth2;
open(my $file, '<', 'port') or die;
my $base = 'http://127.0.0.1:' . <$file>;
for my $status (429, 503) {
  my $client = LWP::Authen::OAuth2->new(
    client_id => 'a', client_secret => 's', redirect_uri => 'https://app.example/callback',
    authorization_endpoint => "$base/authorize", token_endpoint => "$base/$status",
  );
  eval { $client->request_tokens(code => 'c') };
  print "LWP::Authen::OAuth2, $status: ", (split /\n/, $@)[0], "\n";
}
END
cat > check.js <<'END'
import { readFileSync } from 'node:fs';
import oauth from 'simple-oauth2';
const tokenHost = `http://127.0.0.1:${readFileSync('port', 'utf8')}`;
for (const status of [429, 503]) {
  const client = new oauth.AuthorizationCode({ client: { id: 'a', secret: 's' }, auth: { tokenHost, tokenPath: `/${status}` } });
  await client.getToken({ code: 'c' }).catch((error) => console.log(`simple-oauth2, ${status}: ${error.message}`));
}
END
{
  /usr/bin/python3 check.py
  perl check.pl
  node check.js
} 2>&1 | sed 's/127.0.0.1:[0-9]*/HOST/' > seen
cat seen
cat > expected <<'END'
requests-oauthlib, 429: (missing_token) Missing access token parameter.
Authlib, 429: token {'type': 'about:blank', 'title': 'Try again later', 'status': 429}
requests-oauthlib, 503: (missing_token) Missing access token parameter.
Authlib, 503: 503 Server Error: Service Unavailable for url: http://HOST/503
LWP::Authen::OAuth2, 429: Token endpoint missing expected token_type in successful response.
LWP::Authen::OAuth2, 503: Token endpoint missing expected token_type in successful response.
simple-oauth2, 429: Response Error: 429 Too Many Requests
simple-oauth2, 503: Response Error: 503 Service Unavailable
END
diff expected seen && echo 'as expected'
