import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../src/messages/instance-commands.ts';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { canonical } from '../../verifier/src/canonical.ts';
import { Followed } from '../../verifier/src/followed.ts';
import { verifyEpoch } from '../../verifier/src/verify.ts';
import { atoms, contribution, running, setBrand, setRates } from '../jackpot/support/commands.ts';
import { jackpot, raffle } from './support/cases.ts';
import { PublishingLane } from './support/epochs.ts';
import { type Forged, rehashed } from './support/insider.ts';

/** A pot that draws nothing: a forger needs no random number. */
const undrawn = { pot_types: [{ External: {} }] };

/** The rules of contributions changed; by default the operator pays all. */
function paying(rules: object, pot: object = undrawn): InstanceConfigurationDocument {
  const configuration = jackpot(pot as never);
  const contribution_rules = {
    ...configuration.contribution_rules,
    operator_contribution_percentage: '1',
    ...rules,
  };
  return { ...configuration, contribution_rules };
}

function published(
  configuration: InstanceConfigurationDocument,
  ...commands: readonly Command[]
): PublishingLane {
  const lane = new PublishingLane();
  lane.apply(...running(configuration), setBrand());
  for (const command of commands) lane.apply(command);
  lane.end();
  return lane;
}

function verdictOf(...epochs: readonly Forged[]): string | null {
  const followed = new Followed();
  for (const epoch of epochs) {
    const { failure } = verifyEpoch(rehashed(epoch), nodeHashing, { followed });
    if (failure !== null) return failure.check;
  }
  return null;
}

function fileOf(lane: PublishingLane, epoch = 0): Forged {
  return structuredClone(lane.published()[epoch]) as Forged;
}

const trigger: Command = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'mini',
  brand: 'op:main',
  player: 'p1',
  source: 'slot-1',
  user: 'admin',
  idempotencyKey: null,
};

describe('a contribution of a percentage', () => {
  const file = (percentage: string, rules: object = {}) =>
    fileOf(
      published(
        paying({ contribution_type: { Percentage: percentage }, ...rules }),
        contribution({ baseWagerAtoms: atoms('7.77777777') }),
      ),
    );

  it('is exactly that where the operator pays all of it', () => {
    expect(verdictOf(file('0.1'))).toBeNull();
    const forged = file('0.05');
    forged.header.config.contribution_rules.contribution_type.Percentage = '0.1';
    expect(verdictOf(forged)).toBe('money');
  });

  it('is the lowest of its bounds', () => {
    const rules = { max_contribution: { max_contribution_value: '8', include_base_wager: true } };
    expect(verdictOf(file('0.1', rules))).toBeNull();
    const forged = file('0.02', rules);
    forged.header.config.contribution_rules.contribution_type.Percentage = '0.1';
    expect(verdictOf(forged)).toBe('money');
  });

  it('is not taken where a maximum leaves nothing for it', () => {
    expect(verdictOf(file('0'))).toBeNull();
    for (const max_contribution_value of ['7', '7.77777777']) {
      const forged = file('0');
      const max_contribution = { max_contribution_value, include_base_wager: true };
      forged.header.config.contribution_rules.max_contribution = max_contribution;
      expect(verdictOf(forged), max_contribution_value).toBe('money');
    }
  });
});

describe('a contribution id', () => {
  it('has one record in an epoch', () => {
    const lane = published(
      paying({}),
      contribution({ contributionId: new Uint8Array(16).fill(1) }),
      contribution({ contributionId: new Uint8Array(16).fill(2) }),
    );
    expect(verdictOf(fileOf(lane))).toBeNull();
    const forged = fileOf(lane);
    forged.groups[1].inputs = forged.groups[0].inputs;
    expect(verdictOf(forged)).toBe('order');
  });

  it('has one record in a message', () => {
    const lane = new PublishingLane();
    lane.apply(...running(paying({})), setBrand());
    const ids = [1, 2, 3].map((each) => new Uint8Array(16).fill(each));
    lane.apply(...ids.map((contributionId) => contribution({ contributionId })));
    lane.end();
    const forged = fileOf(lane);
    const [group] = forged.groups;
    group.inputs = group.inputs.slice(0, 80) + group.inputs.slice(0, 80) + group.inputs.slice(160);
    expect(verdictOf(forged)).toBe('order');
  });
});

describe('what a player is paid who plays in the currency of the jackpot', () => {
  /** Everything that was paid to players is said to have been lost in a conversion. */
  function lost(file: Forged): Forged {
    let total = 0n;
    const take = (payment: Forged) => {
      total += BigInt(payment.player_paid_back);
      payment.player_paid_back = '0';
    };
    for (const { details } of file.groups) {
      for (const detail of details) {
        if (detail.type === 'win' || detail.type === 'trigger') take(detail);
        for (const payment of detail.payouts?.flatMap(({ paid }: Forged) => paid) ?? []) take(payment);
        for (const payment of detail.paid ?? []) take(payment);
      }
    }
    expect(total).toBeGreaterThan(0n);
    const { accounts } = file.closing;
    accounts.player = String(BigInt(accounts.player) - total);
    accounts.fx = String(BigInt(accounts.fx) + total);
    return file;
  }

  it('is all of a win', () => {
    const sure = { pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }] };
    const lane = published(jackpot(sure), contribution());
    expect(verdictOf(fileOf(lane))).toBeNull();
    expect(verdictOf(lost(fileOf(lane)))).toBe('wins');
  });

  it('is all of a share, and of what an administrator gives', () => {
    const rules = {
      main_winner_percentage: '0',
      payout_rules: [{ payout_percentage: '1', rule: { HighestContributors: { max_number_of_payouts: 3 } } }],
    };
    const shared = published(jackpot({ ...undrawn, payout_ruleset: rules }), contribution(), trigger);
    expect(verdictOf(fileOf(shared))).toBeNull();
    expect(verdictOf(lost(fileOf(shared)))).toBe('wins');
    const given = published(jackpot(undrawn), trigger);
    expect(verdictOf(lost(fileOf(given)))).toBe('wins');
  });

  it('is all of a prize', () => {
    const lane = published(raffle({ Seconds: 60 }), contribution());
    expect(verdictOf(fileOf(lane))).toBeNull();
    expect(verdictOf(lost(fileOf(lane)))).toBe('wins');
  });

  it('may be less in another currency, until the player comes in the own one', () => {
    const rates = setRates([['JPY', '163.27', null]]);
    const yen = contribution({ currency: 'JPY', baseWagerAtoms: atoms('100') });
    const converted = published(jackpot(undrawn), rates, yen, trigger);
    expect(verdictOf(fileOf(converted))).toBeNull();
    expect(verdictOf(lost(fileOf(converted)))).toBeNull();
    const back = published(jackpot(undrawn), rates, yen, contribution(), trigger);
    expect(verdictOf(lost(fileOf(back)))).toBe('wins');
  });
});

describe('the rules that an epoch ends with', () => {
  const lane = published(jackpot(undrawn), contribution());
  const changed = (change: (config: Forged) => void): Forged => {
    const file = fileOf(lane);
    file.closing.config = structuredClone(file.header.config);
    change(file.closing.config);
    return file;
  };

  it.each<readonly [string, (config: Forged) => void]>([
    [
      'a payout',
      (config) => {
        config.pots[0].effective.payout_ruleset = { main_winner_percentage: '0.01' };
      },
    ],
    [
      'a pot closed',
      (config) => {
        config.pots[0].effective.enabled = false;
      },
    ],
    [
      'a trigger',
      (config) => {
        config.pots[0].effective.pot_types = [];
      },
    ],
    [
      'a lower maximum',
      (config) => {
        config.pots[0].effective.maximum_pot_value = '1';
      },
    ],
    [
      'what nobody set',
      (config) => {
        config.pots[0].effective.unknown = true;
      },
    ],
    [
      'the currency',
      (config) => {
        config.currency = 'USD';
      },
    ],
    [
      'the kind of jackpot',
      (config) => {
        config.jackpot_type = 'Raffle';
      },
    ],
    [
      'a pot more',
      (config) => {
        config.pots.push(structuredClone(config.pots[0]));
      },
    ],
    [
      'another pot',
      (config) => {
        config.pots[0].pending = { ...config.pots[0].effective, id: 'maxi' };
      },
    ],
    [
      'a member more',
      (config) => {
        config.other = 1;
      },
    ],
    [
      'no cycle at all',
      (config) => {
        config.max_instantiation_count = 0;
      },
    ],
  ])('are not changed for a cycle that runs: %s', (_, change) => {
    expect(verdictOf(changed(change))).not.toBeNull();
  });

  it.each<readonly [string, (config: Forged) => void]>([
    [
      'of the instance',
      (config) => {
        config.house_pot = { contribution_type: { Percentage: '0.1' } };
      },
    ],
    [
      'fewer cycles',
      (config) => {
        config.max_instantiation_count = 1;
      },
    ],
    [
      'that wait',
      (config) => {
        config.pots[0].pending = { ...config.pots[0].effective, enabled: false };
      },
    ],
  ])('may be others %s', (_, change) => {
    expect(verdictOf(changed(change))).toBeNull();
  });

  it('have nothing that waits where a cycle has taken it over, and nothing taken over where none has', () => {
    const waiting = new PublishingLane();
    waiting.apply(...running(jackpot(undrawn)), setBrand());
    waiting.apply({
      kind: 'SetParameters',
      instance: 'jackpot',
      configuration: jackpot({ ...undrawn, is_progressive: false }),
      reason: 'test',
      user: 'admin',
      expectedVersion: null,
    });
    waiting.apply(contribution());
    waiting.end();
    waiting.apply(trigger);
    waiting.end();
    const files = [0, 1, 2].map((epoch) => fileOf(waiting, epoch));
    expect(verdictOf(...structuredClone(files))).toBeNull();
    const early = structuredClone(files.slice(0, 2));
    const [{ effective, pending }] = early[1].header.config.pots;
    expect(canonical(effective)).not.toBe(canonical(pending));
    early[1].closing.config = structuredClone(early[1].header.config);
    early[1].closing.config.pots[0] = { effective: pending, pending: null };
    expect(verdictOf(...early)).toBe('closing');
    const late = structuredClone(files);
    late[2].closing.config = structuredClone(late[1].header.config);
    expect(verdictOf(...late)).not.toBeNull();
  });
});

describe("a raffle's round", () => {
  const rules = (duration: object) => {
    const { contribution_rules, ...rest } = raffle(duration as never);
    return {
      ...rest,
      contribution_rules: { ...contribution_rules, operator_contribution_percentage: '1' },
    } as InstanceConfigurationDocument;
  };

  it('takes no contribution behind its end that has not waited for a payment', () => {
    const lane = published(rules({ Seconds: 60 }), contribution(), contribution({ player: 'p2' }));
    expect(verdictOf(fileOf(lane))).toBeNull();
    const forged = fileOf(lane);
    forged.groups[1].records[0].t = forged.header.raffle.end;
    expect(verdictOf(forged)).toBe('wins');
  });

  it('that no header names takes none either, nor one before its start', () => {
    const lane = new PublishingLane();
    lane.apply(...running(rules({ Hours: 1 })), setBrand());
    lane.apply(contribution());
    lane.lane.nowMs += 3_600_000;
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    lane.apply(contribution());
    lane.lane.nowMs += 3_600_000;
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    lane.end();
    expect(verdictOf(fileOf(lane))).toBeNull();
    const forged = fileOf(lane);
    const second = forged.groups.findIndex((group: Forged) => group.details[0]?.round === 2);
    forged.groups[second - 1].records[0].t = forged.groups[second].details[0].end;
    expect(verdictOf(forged)).toBe('wins');
  });

  it('has one end, whatever a later header says', () => {
    const lane = new PublishingLane();
    lane.apply(...running(rules({ Weeks: 1 })), setBrand());
    lane.apply(contribution());
    lane.end();
    lane.apply(contribution());
    lane.end();
    const files = [0, 1].map((epoch) => fileOf(lane, epoch));
    expect(verdictOf(...structuredClone(files))).toBeNull();
    for (const change of [{ end: -1000 }, { end: 1000 }, { last: true }, { end: -1000, last: true }]) {
      const forged = structuredClone(files);
      const named = forged[1].header.raffle;
      named.end += 'end' in change ? change.end : 0;
      named.last = 'last' in change;
      expect(verdictOf(...forged), JSON.stringify(change)).toBe('opening');
    }
  });
});

describe('a pool that is diverted', () => {
  it('goes nowhere before it has reached its threshold', () => {
    const house_pot = (flush_threshold: string) => ({
      contribution_type: { Percentage: '0.3' },
      diversion_rules: {
        diversion_percentage: '1',
        flush_threshold,
        endpoint: 'https://pool.example/',
        account_id: 'a',
      },
    });
    const lane = published({ ...jackpot(undrawn), house_pot: house_pot('5') }, contribution());
    expect(verdictOf(fileOf(lane))).toBeNull();
    for (const to of ['diversion_pending', 'external']) {
      const forged = fileOf(lane);
      const { accounts } = forged.closing;
      expect(accounts.diversion).not.toBe('0');
      accounts[to] = accounts.diversion;
      accounts.diversion = '0';
      expect(verdictOf(forged), to).toBe('closing');
    }
  });
});

describe('an overflow', () => {
  it('is nothing at the start where a pot has no cap', () => {
    const lane = published(jackpot(undrawn));
    expect(verdictOf(fileOf(lane))).toBeNull();
    const forged = fileOf(lane);
    for (const { pots } of [forged.header, forged.closing]) {
      pots[0].current = pots[0].last_drawn = '100000000';
      pots[0].overflow = '200000000';
    }
    expect(verdictOf(forged)).toBe('opening');
  });
});

describe('time', () => {
  it('does not fall from one epoch to the next', () => {
    const lane = new PublishingLane();
    lane.apply(...running(jackpot(undrawn)), setBrand());
    lane.apply(contribution());
    lane.end();
    lane.apply(contribution());
    lane.end();
    const files = [0, 1].map((epoch) => fileOf(lane, epoch));
    expect(verdictOf(...structuredClone(files))).toBeNull();
    files[1].groups[0].records[0].t = files[0].groups[0].records[0].t - 1;
    expect(verdictOf(...files)).toBe('order');
  });
});

describe('a payout rule', () => {
  it('is of a kind that the verifier knows', () => {
    const payout_rules = [
      { payout_percentage: '0.2', rule: { HighestContributors: { max_number_of_payouts: 1 } } },
    ];
    const payout_ruleset = { main_winner_percentage: '0.8', payout_rules };
    const lane = published(paying({}, { ...undrawn, payout_ruleset }), contribution(), trigger);
    expect(verdictOf(fileOf(lane))).toBeNull();
    const text = JSON.stringify(fileOf(lane)).replaceAll('HighestContributors', 'HighestOfToday');
    expect(verdictOf(JSON.parse(text) as Forged)).toBe('config');
  });
});
