import { Agent, createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ForwardingProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * A proxy such as stands before a gateway: few connections to it, shared by all clients, and each request with its client's address behind
 * what the client said itself.
 */
export async function startForwardingProxy(gatewayPort: number): Promise<ForwardingProxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const open = new Set<Socket>();
  const server = createServer((incoming, answer) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port: gatewayPort,
        method: incoming.method,
        path: incoming.url,
        agent,
        headers: {
          ...endToEnd(incoming.headers),
          'x-forwarded-for': chainOf(incoming.headers, incoming.socket),
        },
      },
      (response) => {
        answer.writeHead(response.statusCode as number, response.headers);
        response.pipe(answer);
      },
    );
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  });
  server.on('upgrade', (incoming, client: Socket, first) => {
    const gateway = connect(gatewayPort, '127.0.0.1');
    const lines = Object.entries({
      ...incoming.headers,
      'x-forwarded-for': chainOf(incoming.headers, client),
    }).map(([name, value]) => `${name}: ${value}`);
    gateway.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    gateway.write(first);
    client.pipe(gateway).pipe(client);
    for (const [socket, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of open) socket.destroy();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function endToEnd({ connection: _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return headers;
}

function chainOf(headers: IncomingHttpHeaders, { remoteAddress }: Socket): string {
  const before = headers['x-forwarded-for'];
  return before === undefined ? String(remoteAddress) : `${before}, ${remoteAddress}`;
}
