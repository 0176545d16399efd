#!/bin/sh
# What a reader of server-sent events has received after 1.4 seconds, of ten events that the origin sends 0.4 seconds
# apart. lighttpd keeps them back by default; so does Varnish with do_gzip, also for a client that accepts no gzip.
# nginx, with gzip for this type, passes each event on because of X-Accel-Buffering, which the other two ignore.
# Needs Debian 12's nginx, lighttpd, varnish, curl and python3.
set -eu
fail() { echo "$*" >&2; exit 1; }
for package in nginx:1.22.1 lighttpd:1.4.69 varnish:7.1.1; do
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
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Origin(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.send_header('Cache-Control', 'no-store')
        self.send_header('X-Accel-Buffering', 'no')
        self.end_headers()
        try:
            for number in range(10 if self.path == '/stream' else 0):
                self.wfile.write(b'data: %d\n\n' % number)
                time.sleep(0.4)
        except OSError:
            pass
    def log_message(self, *arguments): pass
ThreadingHTTPServer(('127.0.0.1', 18420), Origin).serve_forever()
END
cat > nginx.conf <<END
daemon off; pid $dir/nginx.pid; error_log $dir/nginx.log; events {}
http { access_log off; gzip on; gzip_types text/event-stream; gzip_proxied any; gzip_http_version 1.0;
  server { listen 127.0.0.1:18421; location / { proxy_pass http://127.0.0.1:18420; } } }
END
for port in 18422 18423; do
  cat > lighttpd-$port.conf <<END
server.modules = ("mod_proxy")
server.document-root = "$dir"
server.bind = "127.0.0.1"
server.port = $port
server.errorlog = "$dir/lighttpd.log"
proxy.server = ("" => (("host" => "127.0.0.1", "port" => 18420)))
END
done
echo 'server.stream-response-body = 1' >> lighttpd-18423.conf
for port in 18424 18425; do
  printf 'vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "18420"; }\n' > $port.vcl
done
echo 'sub vcl_backend_response { set beresp.do_gzip = true; }' >> 18425.vcl

python3 origin.py 2>/dev/null & pids="$pids $!"
nginx -p "$dir" -c nginx.conf 2>/dev/null & pids="$pids $!"
for port in 18422 18423; do lighttpd -D -f lighttpd-$port.conf & pids="$pids $!"; done
for port in 18424 18425; do
  varnishd -F -n "$dir/v$port" -a 127.0.0.1:$port -f "$dir/$port.vcl" -s malloc,16m >/dev/null 2>&1 & pids="$pids $!"
done
for port in 18420 18421 18422 18423 18424 18425; do
  curl -s -o /dev/null --retry 40 --retry-delay 1 --retry-connrefused "http://127.0.0.1:$port/" || fail "nothing on $port"
done

received() {
  curl -sN --compressed -H "Accept-Encoding: $2" -m 1.4 "http://127.0.0.1:$1/stream" > body || true
  if grep -q data: body; then echo events; else echo nothing; fi
}
while read -r port name; do
  echo "$name: identity $(received "$port" identity), gzip $(received "$port" gzip)"
done > seen <<'END'
18420 origin
18421 nginx with gzip
18422 lighttpd
18423 lighttpd with stream-response-body
18424 varnish
18425 varnish with do_gzip
END
cat seen
cat > expected <<'END'
origin: identity events, gzip events
nginx with gzip: identity events, gzip events
lighttpd: identity nothing, gzip nothing
lighttpd with stream-response-body: identity events, gzip events
varnish: identity events, gzip events
varnish with do_gzip: identity nothing, gzip nothing
END
diff expected seen && echo 'as expected'
