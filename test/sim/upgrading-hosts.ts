import type { Engines } from '../../src/actors/ports/actor-ports.ts';
import { type EngineVersions, engineVersions } from '../../src/jackpot/lane/versions/versions.ts';
import type { Hashing } from '../../src/lib/hashing.ts';
import { decodeCommandBatch } from '../../src/messages/codec/codec.ts';
import { withNextVersion } from '../support/next-engine.mjs';
import { SimHosts } from './sim-hosts.ts';
import { enginesOf, lane } from './sim-system.ts';

export const nextVersions: EngineVersions = withNextVersion(engineVersions);

/** Hosts whose software is replaced, one after another, by a build with one more version of the engine. */
export class UpgradingHosts extends SimHosts {
  /** What the log means: any build that has both versions. */
  override readonly engines: Engines = enginesOf(undefined, nextVersions);
  override readonly enginesOn = (of: Hashing): Engines => enginesOf(undefined, nextVersions, of);
  readonly #versions = new Map<number, EngineVersions>();
  readonly #newer: EngineVersions;

  /** `newer`: the versions of the new software, which may have a bug. */
  constructor(seed: number, count: number, newer: EngineVersions = nextVersions) {
    super(seed, count);
    this.#newer = newer;
  }

  protected override versionsOf(index: number): EngineVersions {
    return this.#versions.get(index) ?? engineVersions;
  }

  protected override enginesWith(versions: EngineVersions): Engines {
    return enginesOf(undefined, versions);
  }

  /** From its next start on. */
  install(index: number, versions: EngineVersions = this.#newer): void {
    this.#versions.set(index, versions);
  }

  /** Sequences of upgrades in the log. */
  get upgrades(): readonly number[] {
    return this.server.lane(lane).commands.flatMap(({ sequence, channel, bytes }) => {
      if (channel !== 'control') return [];
      const isUpgrade = decodeCommandBatch(bytes).commands.some(({ kind }) => kind === 'UpgradeTo');
      return isUpgrade ? [sequence] : [];
    });
  }
}
