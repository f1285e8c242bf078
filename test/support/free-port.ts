import { portFault } from '../../src/supervisor/free-port.ts';

/**
 * Below the ports that systems hand out by themselves: neither somebody's connection nor a server on any port takes one
 * between its choice and its use, nor while its server is down. Each worker of a test run has ports of its own.
 */
const lowest = 10_240;
const ofWorker = 4_096;
const workers = 5;
const worker = Number(process.env.VITEST_POOL_ID ?? '0') % workers;
/** The next one may be taken by who was given this one, for what it has beside it. */
const apart = 2;

let next = Math.floor((Math.random() * ofWorker) / apart) * apart;

/** A port of loopback that nobody listens on, and that nobody else will be given soon. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ofWorker; attempt += apart) {
    const port = lowest + worker * ofWorker + next;
    next = (next + apart) % ofWorker;
    if ((await portFault(port, '127.0.0.1')) === null) return port;
  }
  throw new Error('No port is free.');
}
