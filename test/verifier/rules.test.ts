import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { Followed } from '../../verifier/src/followed.ts';
import { verifyEpoch } from '../../verifier/src/verify.ts';
import { contribution, running, setStatus } from '../jackpot/support/commands.ts';
import { firstLane } from '../jackpot/support/new-lane.ts';
import { type PublishedEpoch, PublishingLane } from './support/epochs.ts';
import { tamperWhenBegins } from './support/tampering.ts';
import { playTimed, timed } from './support/timed.ts';

/** An epoch a line, as the code before the second rules published it. */
const stored = new URL('./published/rules-1.jsonl', import.meta.url);
const upgrade = { kind: 'UpgradeTo', version: 2 } as const;
const resume = [setStatus('Paused'), setStatus('Active')];

/** Why the first epoch that is wrong is; null: none is. Each alone, and one behind the other. */
function failureOf(epochs: readonly PublishedEpoch[], headers: readonly unknown[] = []): string | null {
  const followed = new Followed();
  for (const [index, epoch] of epochs.entries()) {
    const nextHeader = headers[index + 1] ?? epochs[index + 1]?.header;
    const alone = verifyEpoch(epoch, nodeHashing, { nextHeader });
    const report = verifyEpoch(epoch, nodeHashing, { followed, nextHeader });
    const failure = report.failure ?? alone.failure;
    if (failure !== null) return `${failure.check}: ${failure.message}`;
  }
  return null;
}

describe('epochs of the first rules', () => {
  const epochs = readFileSync(stored, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): PublishedEpoch => JSON.parse(line));

  it('that were published long ago verify', () => {
    expect(failureOf(epochs)).toBeNull();
    expect(epochs).toHaveLength(2);
    for (const { header } of epochs) expect(header).not.toHaveProperty('rules');
  });

  it('are published by a lane of the first version today with the same bytes', () => {
    const lane = new PublishingLane(1000, firstLane);
    playTimed(lane);
    expect(lane.published()).toEqual(epochs);
  });

  it('do not verify by the second rules, nor the other way round', () => {
    const [first] = epochs;
    const named = { ...first!, header: { ...first!.header, rules: 2, resumed: null } };
    expect(
      failureOf([{ ...named, closing: { ...first!.closing, resumed: null } } as PublishedEpoch]),
    ).toMatch(/^draws: num of trigger 0 of pot night/);
  });
});

describe('an instance whose lane comes to the second rules', () => {
  function upgraded(): PublishingLane {
    const lane = new PublishingLane(1000, firstLane);
    lane.apply(...running(timed()));
    lane.apply(upgrade, contribution(), ...resume, contribution());
    lane.end();
    lane.apply(contribution(), ...resume, contribution());
    lane.end();
    lane.apply(...resume);
    lane.end();
    return lane;
  }

  it('has an epoch of the first rules, and later ones of the second, which verify', () => {
    const epochs = upgraded().published();
    expect(epochs.map(({ header }) => header.rules ?? 1)).toEqual([1, 2, 2]);
    expect(failureOf(epochs)).toBeNull();
  });

  it('never goes back, and no resume of the first rules counts', () => {
    const lane = upgraded();
    const epochs = lane.published();
    const [, second, third] = epochs;
    const { rules: _, resumed: __, ...older } = third!.header;
    expect(failureOf([epochs[0]!, second!], [null, second!.header, older])).toMatch(/^neighbours: resumed/);
    const back = { ...older, resumed: second!.closing.resumed };
    expect(failureOf([epochs[0]!, second!], [null, second!.header, back])).toMatch(
      /goes back to older rules/,
    );
    const claimed = { ...second!.header, resumed: 1 };
    expect(failureOf([epochs[0]!], [null, claimed])).toMatch(/^neighbours: resumed/);
  });
});

describe('a resume that is', () => {
  it.each<readonly [string, number, (resumedMs: number | null) => number | null, RegExp]>([
    ['claimed before the first number', 0, () => 5, /^opening: resumed before the first number is 5/],
    ['forgotten between two epochs', 1, () => null, /^closing: resumed is null/],
    ['moved between two epochs', 1, (resumedMs) => resumedMs! - 1, /^closing: resumed is/],
  ])('%s is found', (_, epoch, change, message) => {
    const lane = new PublishingLane(1000);
    const [brand, create, open, activate] = running(timed());
    lane.apply(brand!, create!, open!);
    tamperWhenBegins(lane.lane, 'jackpot', epoch, (instance) => {
      instance.resumedMs = change(instance.resumedMs);
    });
    lane.apply(activate!);
    lane.apply(...resume, contribution());
    lane.end();
    expect(failureOf(lane.published())).toMatch(message);
  });

  it('left out, or told of an epoch of the first rules, is found', () => {
    const lane = new PublishingLane(1000);
    playTimed(lane);
    const [epoch] = lane.published();
    const groups = epoch!.groups.filter(({ details }) => details[0]?.type !== 'resume');
    expect(failureOf([{ ...epoch!, groups }])).toMatch(/^order: first_seq/);
    const { rules: _, resumed: __, ...header } = epoch!.header;
    const { resumed: ___, ...closing } = epoch!.closing;
    expect(
      failureOf([{ header, groups: epoch!.groups, closing, ...rest(epoch!) } as PublishedEpoch]),
    ).toMatch(/^(order|draws): /);
  });
});

function rest({ header: _, groups: __, closing: ___, ...others }: PublishedEpoch) {
  return others;
}
