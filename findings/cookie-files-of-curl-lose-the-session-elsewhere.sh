#!/bin/sh
# The cookie of a sign-in is usually HttpOnly and ends with the session, and four of five readers of curl's cookie files (curl
# --cookie-jar) do not send it: wget and cookies.txt take the line with "#HttpOnly_" for a comment; Python and Perl take the expiry 0,
# which stands for none, for the year 1970, Python also when told to keep cookies that end with the session or have expired. A
# script that signs in with curl and goes on with one of them is nobody, without an error.
# Expected: all four cookies, as curl sends and cookiefile reads them (RFC 6265 sections 5.3 and 5.4: without Max-Age and Expires, a
# cookie is kept until the session ends; section 4.1.2.6: HttpOnly keeps it from other interfaces than HTTP; curl's "HTTP Cookies").
# Needs Debian 12's curl, wget, python3 and libhttp-cookies-perl, and npm.
set -eu
fail() { echo "$*" >&2; exit 1; }
for package in curl:7.88.1 wget:1.21.3 python3:3.11.2 libhttp-cookies-perl:6.10; do
  version=$(dpkg-query -W -f '${Version}' "${package%%:*}" 2>/dev/null) || fail "${package%%:*} is not installed"
  case "$version" in "${package#*:}"*) echo "${package%%:*} $version" ;; *) fail "unexpected: ${package%%:*} $version" ;; esac
done
echo 'cookies.txt 0.1.2, cookiefile 1.0.10'
dir=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
cd "$dir"
echo '{"private":true}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund cookies.txt@0.1.2 cookiefile@1.0.10
mkfifo port
cat > server.cjs <<'END'
const later = 'Max-Age=86400';
const cookies = ['a=session', 'b=session-HttpOnly; HttpOnly', `c=lasting; ${later}`, `d=lasting-HttpOnly; ${later}; HttpOnly`];
const server = require('node:http').createServer(({ url, headers }, response) => {
  if (url === '/sign-in') response.setHeader('Set-Cookie', cookies);
  response.end(headers.cookie?.split('; ').sort().join(' '));
});
server.listen(0, '127.0.0.1', () => require('node:fs').writeFileSync('port', `${server.address().port}\n`));
END
cat > check.py <<'END'
import sys
from http.cookiejar import MozillaCookieJar
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener
jar = MozillaCookieJar('jar')
jar.load(ignore_discard=True, ignore_expires=True)
print(build_opener(ProxyHandler({}), HTTPCookieProcessor(jar)).open(sys.argv[1]).read().decode())
END
cat > check.pl <<'END'
use HTTP::Cookies::Netscape;
use HTTP::Request;
my $request = HTTP::Request->new(GET => $ARGV[0]);
HTTP::Cookies::Netscape->new(file => 'jar')->add_cookie_header($request);
print join(' ', sort split(/; /, $request->header('Cookie'))), "\n";
END
cat > check.cjs <<'END'
const { CookieMap } = require('cookiefile');
const show = (name, cookies) => console.log(`${name}: ${cookies.sort().join(' ')}`);
show('cookiefile', [...new CookieMap('jar').values()].map(({ cookieName, value }) => `${cookieName}=${value}`));
require('cookies.txt').parse('jar', (cookies) => show('cookies.txt', cookies.map(({ name, value }) => `${name}=${value}`)));
END
node server.cjs & server=$!
port=$(timeout 20 cat port)
url="http://127.0.0.1:$port/"
curl -sS --noproxy '*' --cookie-jar jar "${url}sign-in"
{
  echo "curl: $(curl -sS --noproxy '*' --cookie jar "$url")"
  echo "wget: $(wget -q --no-proxy -O - --load-cookies jar "$url")"
  echo "python3: $(/usr/bin/python3 check.py "$url")"
  echo "HTTP::Cookies: $(/usr/bin/perl check.pl "$url")"
  node check.cjs | grep -v ' load:' # a message of cookies.txt
} > seen
cat seen
cat > expected <<'END'
curl: a=session b=session-HttpOnly c=lasting d=lasting-HttpOnly
wget: a=session c=lasting
python3: c=lasting d=lasting-HttpOnly
HTTP::Cookies: c=lasting d=lasting-HttpOnly
cookiefile: a=session b=session-HttpOnly c=lasting d=lasting-HttpOnly
cookies.txt: a=session c=lasting
END
diff expected seen && echo 'as expected'
