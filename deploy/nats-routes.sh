#!/bin/sh
# Prints what nats.conf includes as nats-routes.conf, with a new password: who joins the routes of the cluster, and where the servers are.
#   deploy/nats-routes.sh <address>:<port> <address>:<port> <address>:<port> > nats-routes.conf
# All three servers get the same file, and nobody else: who joins the routes may do everything. The password is in neither their
# arguments nor their environment.
set -eu
[ $# -eq 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
password=$(openssl rand -hex 24)
echo 'POTSTREAM_NATS_ROUTES_USER: "route"'
echo "POTSTREAM_NATS_ROUTES_PASSWORD: \"$password\""
number=0
for server; do
  number=$((number + 1))
  echo "POTSTREAM_NATS_ROUTE_$number: \"nats-route://route:$password@$server\""
done
