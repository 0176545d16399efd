#!/bin/sh
# Five reverse proxies change the ETag of a JSON response that they compress, in four ways, and pass the changed tag back
# in If-Match. An origin that compares tags as RFC 9110 section 13.1.1 demands rejects every conditional change.
# Besides: Apache makes W/"2-gzip" of W/"2", and Varnish weakens the tag also for clients that get no gzip.
# Needs Debian 12's nginx, haproxy, apache2, lighttpd with lighttpd-mod-deflate, varnish, curl and python3.
set -eu
fail() { echo "$*" >&2; exit 1; }
for package in nginx:1.22.1 haproxy:2.6.12 apache2:2.4 lighttpd:1.4.69 varnish:7.1.1; do
  version=$(dpkg-query -W -f '${Version}' "${package%%:*}" 2>/dev/null) || fail "${package%%:*} is not installed"
  case "$version" in "${package##*:}"*) echo "${package%%:*} $version" ;; *) fail "unexpected: ${package%%:*} $version" ;; esac
done
dir=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null || true; wait; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
chmod 755 "$dir"
cd "$dir"

cat > origin.py <<'END'
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
BODY = b'{"data":[' + b','.join([b'{"name":"Ada Lovelace"}'] * 200) + b']}'
class Origin(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('ETag', 'W/"2"' if self.path == '/weak' else '"2"')
        self.send_header('Content-Length', str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)
    def do_PUT(self):
        self.rfile.read(int(self.headers.get('Content-Length', 0)))
        self.send_response(200 if self.headers['If-Match'] == '"2"' else 412)
        self.send_header('Content-Length', '0')
        self.end_headers()
    def log_message(self, *arguments): pass
ThreadingHTTPServer(('127.0.0.1', 18400), Origin).serve_forever()
END
cat > nginx.conf <<END
daemon off; pid $dir/nginx.pid; error_log $dir/nginx.log; events {}
http { access_log off; gzip on; gzip_types application/json; gzip_proxied any;
  server { listen 127.0.0.1:18401; location / { proxy_pass http://127.0.0.1:18400; } } }
END
cat > haproxy.cfg <<'END'
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen proxy
  bind 127.0.0.1:18402
  filter compression
  compression algo gzip
  compression type application/json
  server origin 127.0.0.1:18400
END
{
  for module in mpm_event authz_core filter deflate brotli proxy proxy_http; do
    echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"
  done
  cat <<END
ServerName localhost
PidFile $dir/apache.pid
ErrorLog $dir/apache.log
Listen 127.0.0.1:18403
User www-data
Group www-data
ProxyPass / http://127.0.0.1:18400/
AddOutputFilterByType BROTLI_COMPRESS;DEFLATE application/json
END
} > apache.conf
cat > lighttpd.conf <<END
server.modules = ("mod_proxy", "mod_deflate")
server.document-root = "$dir"
server.bind = "127.0.0.1"
server.port = 18404
server.errorlog = "$dir/lighttpd.log"
proxy.server = ("" => (("host" => "127.0.0.1", "port" => 18400)))
deflate.mimetypes = ("application/json")
deflate.allowed-encodings = ("br", "gzip", "deflate")
END
cat > default.vcl <<'END'
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "18400"; }
sub vcl_backend_response { set beresp.do_gzip = true; set beresp.uncacheable = true; }
END

python3 origin.py 2>/dev/null & pids="$pids $!"
nginx -p "$dir" -c nginx.conf 2>/dev/null & pids="$pids $!"
haproxy -f haproxy.cfg >/dev/null 2>&1 & pids="$pids $!"
apache2 -d "$dir" -f "$dir/apache.conf" -DFOREGROUND & pids="$pids $!"
lighttpd -D -f lighttpd.conf & pids="$pids $!"
varnishd -F -n "$dir/varnish" -a 127.0.0.1:18405 -f "$dir/default.vcl" -s malloc,16m >/dev/null 2>&1 & pids="$pids $!"
for port in 18400 18401 18402 18403 18404 18405; do
  curl -s -o /dev/null --retry 40 --retry-delay 1 --retry-connrefused "http://127.0.0.1:$port/" || fail "nothing on $port"
done

tag() { curl -s -D - -o /dev/null -H "Accept-Encoding: $3" "http://127.0.0.1:$1$2" | tr -d '\r' | sed -n 's/^etag: //Ip'; }
status() { curl -s -o /dev/null -w '%{http_code}' -X PUT -H "If-Match: $2" -d x "http://127.0.0.1:$1/"; }
while read -r port name; do
  gzip=$(tag "$port" / gzip)
  echo "$name gzip $gzip br $(tag "$port" / br) identity $(tag "$port" / identity) weak $(tag "$port" /weak gzip) If-Match with it $(status "$port" "$gzip")"
done > seen <<'END'
18400 origin
18401 nginx
18402 haproxy
18403 apache2
18404 lighttpd
18405 varnish
END
cat seen
cat > expected <<'END'
origin gzip "2" br "2" identity "2" weak W/"2" If-Match with it 200
nginx gzip W/"2" br "2" identity "2" weak W/"2" If-Match with it 412
haproxy gzip W/"2" br "2" identity "2" weak W/"2" If-Match with it 412
apache2 gzip "2-gzip" br "2-br" identity "2" weak W/"2-gzip" If-Match with it 412
lighttpd gzip "2-gzip" br "2-br" identity "2" weak W/"2-gzip" If-Match with it 412
varnish gzip W/"2" br W/"2" identity W/"2" weak W/"2" If-Match with it 412
END
diff expected seen && echo 'as expected'
