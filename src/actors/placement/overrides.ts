import type { Table } from '../../ports.ts';
import { isHostId } from './host-record.ts';

/** What administrators ordered, in KV PLACEMENT: hosts to drain, and the owner of single lanes. */
export interface Overrides {
  readonly drained: ReadonlySet<string>;
  readonly pins: ReadonlyMap<number, string>;
}

/** The key that says that a host is drained. */
export function drainKey(host: string): string {
  return `drain.${host}`;
}

/** The key that names the owner of a lane. */
export function moveKey(lane: number): string {
  return `move.${lane}`;
}

/** Follows the overrides of KV PLACEMENT, whose other keys it ignores. */
export class OverrideWatch implements Overrides {
  readonly drained = new Set<string>();
  readonly pins = new Map<number, string>();
  #watch: { stop(): Promise<void> } | null = null;

  async start(table: Table): Promise<void> {
    this.#watch = await table.watch({ entry: (key, value) => this.#take(key, value) });
  }

  async stop(): Promise<void> {
    await this.#watch?.stop();
  }

  #take(key: string, value: Uint8Array | null): void {
    const [, kind, name = ''] = /^(drain|move)\.(.+)$/.exec(key) ?? [];
    if (kind === 'drain') {
      if (value === null) this.drained.delete(name);
      else this.drained.add(name);
    } else if (kind === 'move') {
      const host = value === null ? '' : new TextDecoder().decode(value);
      if (isHostId(host)) this.pins.set(Number(name), host);
      else this.pins.delete(Number(name));
    }
  }
}
