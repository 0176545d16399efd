#!/bin/sh
# With load balancing, which is its default, Pgpool-II in front of a primary and a replica sends a SELECT to the replica
# although the same session has just committed an INSERT: the row is not there until the replica has applied it. With
# load_balance_mode = off, it is found. So that the result does not depend on chance, the replica applies changes after 3
# seconds, and gets all reads by its weight.
# Needs Debian 12's postgresql-15 and pgpool2; run as root, because PostgreSQL runs as the user postgres.
set -eu
fail() { echo "$*" >&2; exit 1; }
for package in postgresql-15:15. pgpool2:4.3.5; do
  version=$(dpkg-query -W -f '${Version}' "${package%%:*}" 2>/dev/null) || fail "${package%%:*} is not installed"
  case "$version" in "${package##*:}"*) echo "${package%%:*} $version" ;; *) fail "unexpected: ${package%%:*} $version" ;; esac
done
bin=/usr/lib/postgresql/15/bin
dir=$(mktemp -d)
pool=
as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups env HOME="$dir" "$@"; }
stop() {
  [ -z "$pool" ] || kill "$pool" 2>/dev/null || true
  for each in primary replica; do as_postgres $bin/pg_ctl -D "$dir/$each" -m immediate stop >/dev/null 2>&1 || true; done
  wait
  rm -rf "$dir"
}
trap stop EXIT
trap 'exit 1' INT TERM
chown postgres "$dir"
cd "$dir"
start() {
  as_postgres sh -c "printf '%s\n' \"port = $2\" \"listen_addresses = '127.0.0.1'\" \"unix_socket_directories = '$dir'\" \"$3\" >> '$dir/$1/postgresql.conf'"
  as_postgres $bin/pg_ctl -D "$dir/$1" -l "$dir/$1.log" -w start >/dev/null
}
query() { psql -h 127.0.0.1 -p "$1" -U postgres -qAt; }

as_postgres $bin/initdb -D "$dir/primary" -U postgres -A trust >/dev/null
start primary 18440 "fsync = off"
echo 'create table t (id int)' | query 18440
as_postgres $bin/pg_basebackup -h 127.0.0.1 -p 18440 -U postgres -D "$dir/replica" -R -c fast 2>/dev/null
start replica 18441 "recovery_min_apply_delay = '3s'"

touch hba.conf pcp.conf pool_passwd
while read -r name port line; do
  cat > "$name.conf" <<END
listen_addresses = '127.0.0.1'
port = $port
socket_dir = '$dir'
pcp_socket_dir = '$dir'
pcp_listen_addresses = ''
pcp_port = 18444
pid_file_name = '$dir/$name.pid'
pool_passwd = '$dir/pool_passwd'
num_init_children = 2
backend_clustering_mode = 'streaming_replication'
sr_check_period = 0
backend_hostname0 = '127.0.0.1'
backend_port0 = 18440
backend_weight0 = 0
backend_hostname1 = '127.0.0.1'
backend_port1 = 18441
backend_weight1 = 1
$line
END
  chmod 644 "$name.conf" hba.conf pcp.conf pool_passwd
  setpriv --reuid postgres --regid postgres --clear-groups pgpool -n -f "$dir/$name.conf" -F "$dir/pcp.conf" -a "$dir/hba.conf" >/dev/null 2>&1 &
  pool=$!
  for _ in $(seq 40); do echo 'select 1' | query "$port" >/dev/null 2>&1 && break; sleep 0.5; done
  found=$(printf 'insert into t values (%s);\nselect count(*) from t where id = %s;\n' "$port" "$port" | query "$port")
  echo "$name: rows found after the insert in the same session: $found"
  kill $pool
  wait $pool || true
  pool=
done > seen <<'END'
defaults 18442
load_balance_mode=off 18443 load_balance_mode = off
END
cat seen
cat > expected <<'END'
defaults: rows found after the insert in the same session: 0
load_balance_mode=off: rows found after the insert in the same session: 1
END
diff expected seen && echo 'as expected'
