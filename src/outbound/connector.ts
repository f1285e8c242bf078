import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { crash } from '../lib/crash.ts';
import { type AddressCheck, checkedAddresses, NameNotResolved, NoAnswer } from './checked-addresses.ts';

type Connector = buildConnector.connector;
type Options = buildConnector.Options;

/** All addresses of a name are checked, and this many tried. */
const maxAddressesTried = 3;

/**
 * Connects to addresses that were checked, and to nothing else: a name is resolved once for each connection,
 * so that a second answer of DNS has no say. TLS still asks for the name.
 */
export function checkedConnector(check: AddressCheck, timeoutMs: number): Connector {
  const dial = buildConnector({ timeout: timeoutMs });
  return (options, callback) => {
    const givesUpAtMs = performance.now() + timeoutMs;
    connect(dial, options, check, givesUpAtMs)
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      )
      .catch(crash);
  };
}

async function connect(
  dial: Connector,
  options: Options,
  check: AddressCheck,
  givesUpAtMs: number,
): Promise<Socket> {
  const checked = await inTime(checkedAddresses(options.hostname, check), givesUpAtMs);
  const addresses = checked.slice(0, maxAddressesTried);
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    const timeoutMs = (givesUpAtMs - performance.now()) / (addresses.length - index);
    if (timeoutMs <= 0) break;
    try {
      return await connectTo(dial, options, address, timeoutMs);
    } catch (error) {
      failure = error;
    }
  }
  throw failure ?? new NoAnswer(`No connection to ${options.hostname} in time.`);
}

async function inTime<T>(work: Promise<T>, givesUpAtMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new NameNotResolved('DNS does not answer in time.'));
    timer = setTimeout(giveUp, givesUpAtMs - performance.now());
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** `address` is in numbers: nothing below resolves it again. */
function connectTo(dial: Connector, options: Options, address: string, timeoutMs: number): Promise<Socket> {
  // undici's types leave out that it may be null, and that the socket is given back at once.
  const asked = (options.servername as string | null | undefined) ?? null;
  const servername = asked ?? (isIP(options.hostname) === 0 ? options.hostname : null);
  return new Promise((resolve, reject) => {
    const to = { ...options, hostname: address, servername } as Options;
    const socket = (dial as (...all: Parameters<Connector>) => unknown)(to, (error, connected) => {
      clearTimeout(tooLate);
      if (error === null) resolve(connected as Socket);
      else reject(error);
    }) as Socket;
    const tooLate = setTimeout(
      () => socket.destroy(new NoAnswer(`${address} does not take the connection.`)),
      timeoutMs,
    );
  });
}
