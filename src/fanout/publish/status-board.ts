import type { ReadModel } from '../../directory/read-model.ts';
import { feedBelowBytes, jackpotsOfPart } from '../base/limits.ts';
import type { Connection } from '../connections/connection.ts';
import type { Scope } from '../scope/scope.ts';
import { Rooms } from './rooms.ts';
import type { Tickers } from './tickers.ts';

interface StatusBoardPorts {
  readonly readModel: ReadModel;
  readonly tickers: Tickers;
  nowMs(): number;
}

/** O4: all active jackpots of a scope, repeatedly, in parts. Synchronous; the caller passes the time. */
export class StatusBoard {
  readonly #ports: StatusBoardPorts;
  readonly #rooms = new Rooms();

  constructor(ports: StatusBoardPorts) {
    this.#ports = ports;
  }

  /** The first status comes at once. */
  join(connection: Connection, scope: Scope): void {
    this.#rooms.join(connection, scope);
    connection.statusParts = this.#parts(connection.scope ?? scope);
    this.pump(connection);
  }

  leave(connection: Connection): void {
    this.#rooms.leave(connection);
    connection.statusParts = [];
  }

  publish(): void {
    for (const { scope, connections } of this.#rooms.all()) {
      const parts = this.#parts(scope);
      for (const connection of connections) {
        // Who has not read the last status yet does without this one.
        if (connection.closing !== null || connection.statusParts.length > 0) continue;
        connection.statusParts = parts;
        this.pump(connection);
      }
    }
  }

  /** Sends what is left of the status, as far as the socket has room. */
  pump(connection: Connection): void {
    const { socket, statusParts } = connection;
    if (socket === null || statusParts.length === 0) return;
    let sent = 0;
    socket.cork(() => {
      while (sent < statusParts.length && socket.getBufferedAmount() < feedBelowBytes) {
        socket.send(statusParts[sent] as Buffer, false);
        sent += 1;
      }
    });
    connection.statusParts = statusParts.slice(sent);
  }

  /** Without active jackpots it sends one empty part. */
  #parts(scope: Scope): Buffer[] {
    const { readModel, tickers, nowMs } = this.#ports;
    const texts: string[] = [];
    for (const known of readModel.lanes.instances.values()) {
      if (readModel.conditions.fault(known.lane) !== null) continue;
      if (known.status === 'Active' && scope.sees(known)) texts.push(tickers.text(known, scope));
    }
    const parts = Math.max(1, Math.ceil(texts.length / jackpotsOfPart));
    const timestamp = nowMs();
    const missing = readModel.conditions.missing();
    const incomplete = missing.length === 0 ? '' : `"incomplete_lanes":[${missing.join(',')}],`;
    return Array.from({ length: parts }, (_, index) => {
      const jackpots = texts.slice(index * jackpotsOfPart, (index + 1) * jackpotsOfPart).join(',');
      const head = `"msg_type":"JackpotStatus","timestamp":${timestamp},"part":${index + 1},"parts":${parts}`;
      return Buffer.from(`{${head},${incomplete}"jackpots":[${jackpots}]}`, 'utf8');
    });
  }
}
