#!/bin/sh
# Makes an authority for the TLS of nats-servers, and one certificate for all of them:
#   deploy/certificates.sh <directory> <name or address of a server> …
# Servers get server.pem, server.key and ca.pem, roles ca.pem alone. Keep ca.key away from all of them: it makes more certificates. A second
# run with the same directory makes a new server certificate of the same authority; then reload the servers (nats-server --signal reload).
set -eu
umask 077
[ $# -ge 2 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
directory=$1
shift
names=
for name; do
  case $name in
    *[!0-9.]*) kind=DNS ;;
    *) kind=IP ;;
  esac
  names="${names:+$names,}$kind:$name"
done
mkdir -p "$directory"
cd "$directory"
days=3650
if [ ! -e ca.key ]; then
  openssl ecparam -name prime256v1 -genkey -noout -out ca.key
  openssl req -x509 -new -key ca.key -sha256 -days $days -subj "/CN=Potstream NATS authority" -out ca.pem
fi
openssl ecparam -name prime256v1 -genkey -noout -out server.key
openssl req -new -key server.key -subj "/CN=nats-server" -out server.csr
printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$names" > server.extensions
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -sha256 -days $days -extfile server.extensions -out server.pem
rm server.csr server.extensions
chmod 644 ca.pem server.pem
