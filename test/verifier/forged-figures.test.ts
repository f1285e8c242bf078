import { describe, expect, it } from 'vitest';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { canonical } from '../../verifier/src/canonical.ts';
import { Followed } from '../../verifier/src/followed.ts';
import { verifyEpoch } from '../../verifier/src/verify.ts';
import { contribution, running } from '../jackpot/support/commands.ts';
import { jackpot, publishedCases } from './support/cases.ts';
import { PublishingLane } from './support/epochs.ts';
import { type Forged, rehashed } from './support/insider.ts';

type Path = readonly (string | number)[];

/** Other values that a figure may have without looking odd. */
function* othersOf(value: unknown): Generator<unknown> {
  if (typeof value === 'boolean') yield !value;
  if (typeof value === 'number') for (const by of [-1, 1, 1000, 86_400_000]) yield value + by;
  if (typeof value === 'number') yield 0;
  if (typeof value === 'string' && /^-?[0-9]+$/.test(value) && value.length < 20) {
    for (const by of [-1n, 1n, 1_000_000n, -1_000_000n, 500_000_000n]) yield String(BigInt(value) + by);
    yield '0';
    yield null;
  } else if (typeof value === 'string' && /^[0-9a-f]{32,}$/.test(value)) {
    yield value.replace(/^../, (first) => (first === 'aa' ? 'bb' : 'aa'));
  }
  if (value === null) yield* ['0', 0, 1_700_000_000_000, 1_700_086_400_000];
  if (Array.isArray(value) && value.length > 0) {
    yield value.slice(1);
    yield [...value, value[0]];
  }
}

function* pathsOf(json: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json)) {
    yield* pathsOf(value, [...path, Array.isArray(json) ? Number(name) : name]);
  }
}

/** Rules and ids: who changes these tells another story from the beginning on, which anybody may compare. */
function isOfAnotherStory(path: Path): boolean {
  return path[0] === 'header' && ['config', 'v', 'instance', 'epoch'].includes(String(path[1]));
}

/** What hashing makes good again anyway. */
function isRehashed(path: Path): boolean {
  const last = String(path.at(-1));
  return last === 'head' || last === 'config_hash';
}

function at(json: Forged, path: Path): unknown {
  return path.reduce((found, name) => found[name], json);
}

function forge(published: unknown, path: Path, value: unknown): Forged | null {
  const document = structuredClone(published) as Forged;
  at(document, path.slice(0, -1));
  (at(document, path.slice(0, -1)) as Forged)[path.at(-1)!] = value;
  try {
    return rehashed(document);
  } catch {
    return null;
  }
}

/** Figures that the rules do not determine (docs/jpd1.md, "What no file can show"). */
const unknowable: readonly RegExp[] = [
  // When something happened, as long as it is behind what was before and in front of what comes after.
  /\.t = /,
  /^header\.pots\.0\.cycle_start = /,
  // Whether a payment was settled at once or later.
  /player_paid_back = null$/,
  // The id of a contribution: its player knows it, and nobody else.
  /^groups\.[0-9]+\.inputs = /,
  // Whom an administrator has given a pot.
  /^groups\.0\.details\.0\.winner = "aa/,
];

describe('one figure changed, and everything hashed again', () => {
  it.each(publishedCases())('$name: is rejected', ({ before, published }) => {
    const known = new Followed();
    for (const each of before)
      expect(verifyEpoch(each, nodeHashing, { followed: known }).verified).toBe(true);
    const failureOf = (document: unknown) =>
      verifyEpoch(document, nodeHashing, { followed: known.copy() }).failure;
    expect(failureOf(rehashed(structuredClone(published)))).toBeNull();
    const original = canonical(published);
    const accepted: string[] = [];
    let forgeries = 0;
    for (const path of pathsOf(published)) {
      if (isOfAnotherStory(path) || isRehashed(path)) continue;
      for (const value of othersOf(at(published, path))) {
        const forged = forge(published, path, value);
        if (forged === null || canonical(forged) === original) continue;
        forgeries += 1;
        const place = `${path.join('.')} = ${JSON.stringify(value)}`;
        if (failureOf(forged) !== null) continue;
        if (!unknowable.some((each) => each.test(place))) accepted.push(place);
      }
    }
    expect(forgeries).toBeGreaterThan(100);
    expect(accepted).toEqual([]);
  });
});

describe('what the player is said to have paid, with all accounts that follow from it', () => {
  const unit = 1_000_000n;
  const shares = ['0', '0.333333333', '0.5', '1', undefined];
  const configurations = shares.map((share) => {
    const { contribution_rules: rules, ...rest } = jackpot();
    const { operator_contribution_percentage: _, ...others } = rules as Record<string, unknown>;
    const part = share === undefined ? {} : { operator_contribution_percentage: share };
    return [share, { ...rest, contribution_rules: { ...others, ...part } }] as const;
  });

  it.each(configurations)('is rejected where the operator pays %s of it', (_, configuration) => {
    const lane = new PublishingLane();
    lane.apply(...running(configuration));
    lane.apply(contribution({ baseWagerAtoms: 1_000_000_000n }));
    lane.end();
    const published = lane.published()[0] as Forged;
    expect(verifyEpoch(published, nodeHashing).failure).toBeNull();
    const [{ c, player }] = published.groups[0].records;
    for (const other of [0n, 1n, unit, BigInt(c) - unit, BigInt(c) / 2n, BigInt(c), BigInt(player) + unit]) {
      if (other === BigInt(player)) continue;
      const forged = structuredClone(published);
      const { accounts } = forged.closing;
      forged.groups[0].records[0].player = String(other);
      accounts.player = String(BigInt(accounts.player) + BigInt(player) - other);
      accounts.operator_capital = String(BigInt(accounts.operator_capital) - BigInt(player) + other);
      expect(verifyEpoch(forged, nodeHashing).failure, String(other)).toMatchObject({ check: 'money' });
    }
  });

  it('is rejected where something was priced before the first epoch', () => {
    const forged = structuredClone(publishedCases()[0]!.published) as Forged;
    forged.groups[0].records[0].priced_before = true;
    expect(verifyEpoch(forged, nodeHashing).failure).toMatchObject({ check: 'money' });
  });
});
