import type { Table } from '../../ports.ts';
import { isHostId } from './host-record.ts';

/** Orders of administrators in KV PLACEMENT: drained hosts, owners of lanes, the highest engine version. */
interface Overrides {
  readonly drained: ReadonlySet<string>;
  readonly pins: ReadonlyMap<number, string>;
  /** No lane is upgraded beyond it; null: there is no such order. */
  readonly maxEngineVersion: number | null;
}

/** The key that pauses upgrades: the highest version that a lane may get. */
export const maxVersionKey = 'upgrade.max';

/** Follows the overrides of KV PLACEMENT, whose other keys it ignores. */
export class OverrideWatch implements Overrides {
  readonly drained = new Set<string>();
  readonly pins = new Map<number, string>();
  maxEngineVersion: number | null = null;
  /** Every order that there was at the start is read. */
  isCurrent = false;
  #watch: { stop(): Promise<void> } | null = null;

  async start(table: Table): Promise<void> {
    this.#watch = await table.watch({
      entry: (key, value) => this.#take(key, value),
      current: () => {
        this.isCurrent = true;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#watch?.stop();
  }

  #take(key: string, value: Uint8Array | null): void {
    if (key === maxVersionKey) this.maxEngineVersion = value === null ? null : maxVersionOf(value);
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

/** An order that cannot be read pauses every upgrade. */
export function maxVersionOf(value: Uint8Array): number {
  const text = new TextDecoder().decode(value);
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
}
