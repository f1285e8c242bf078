import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { LaneWork } from '../../../src/messages/settlements.ts';
import {
  atoms,
  contribution,
  createInstance,
  handIn,
  running,
  setBrand,
  setRates,
  setStatus,
} from '../../jackpot/support/commands.ts';
import { jackpot, raffle } from './cases.ts';
import { PublishingLane } from './epochs.ts';
import { playTimed } from './timed.ts';

/** Epochs in a row that show what is rare, and how to see that they do. */
export interface Row {
  readonly name: string;
  readonly lane: PublishingLane;
  readonly shows: readonly RegExp[];
}

type Rules = Readonly<Record<string, unknown>>;
const hourMs = 3_600_000;
const external = { pot_types: [{ External: {} }] };
const rates = setRates([
  ['JPY', '163.27', null],
  ['KWD', '0.333', null],
  ['PTS', '123.456789012345678', 4],
]);

export function rows(): readonly Row[] {
  return [
    row('limits of a percentage', limited(), /"include_base_wager":true/, /"c":"5000000"/),
    row('a bet limit, a bonus and a preferred value', bounded(), /"c":"20000000"/, /"c":"1500000"/),
    row('a currency outside ISO 4217', inCurrency('PTS'), /"win":"[1-9][0-9]*0000"/),
    row('a currency without decimals', inCurrency('JPY'), /"win":"[1-9][0-9]*00000000"/),
    row('a currency of three decimals', inCurrency('KWD'), /"win":"[1-9][0-9]*00000"/),
    row('beacons', beacons(), /"beacon":"[0-9a-f]{64}"/),
    row('parameters that wait, and bind', waitingParameters(), /"pending":\{/, /"pending":null/),
    row('a higher maximum inside of a message', risingMaximum(), /"maximum_pot_value":"9"/),
    row('payments that wait', waitingPayments(), /"player_paid_back":null/, /"withheld":true/),
    row('rates that change in the message', repriced(), /"repriced":true/),
    row('a pool that reaches its threshold', flushed(), /"external":"[1-9]/, /"diversion_pending":"[1-9]/),
    row('Deferred tickets over two epochs', deferred(), /"tickets":[1-9][0-9]*\}/, /"type":"round"/),
    row('scheduled rounds, one of them behind the schedule', scheduled(), /"last":true/),
    row('a last cycle that ends a raffle', lastCycle(), /"last":true,/, /"enabled":false/),
    row('shares of three kinds', shared(), /"rule":"HighestLifetimeContributors"/, /"rule":"ActivePlayers"/),
    row('balances that come', receipt(), /"type":"receipt"/),
    row('a debit behind the end of its round', lateDebit(), /"type":"round"/),
    row('resumes, in windows of time', resumed(), /"type":"resume"/, /"resumed":1/, /"den":"3840000"/),
  ];
}

function row(name: string, lane: PublishingLane, ...shows: readonly RegExp[]): Row {
  return { name, lane, shows };
}

/** An epoch for each list of messages. */
function played(
  configuration: InstanceConfigurationDocument,
  ...epochs: readonly (readonly (Command | readonly Command[])[])[]
): PublishingLane {
  const lane = new PublishingLane(1000);
  lane.apply(rates, ...running(configuration));
  for (const messages of epochs) {
    for (const message of messages) lane.apply(...(Array.isArray(message) ? message : [message]));
    lane.end();
  }
  return lane;
}

function withRules(rules: Rules, pot: Rules = {}): InstanceConfigurationDocument {
  const configuration = jackpot(pot);
  return { ...configuration, contribution_rules: { ...configuration.contribution_rules, ...rules } };
}

function limited(): PublishingLane {
  const rules = (max_contribution: Rules) =>
    withRules({
      contribution_type: { Percentage: '0.1' },
      operator_contribution_percentage: '1',
      max_contribution,
    });
  const spins = ['1', '9.5', '9.99999999'].map((wager) => contribution({ baseWagerAtoms: atoms(wager) }));
  const lane = played(
    rules({ max_contribution_value: '10', include_base_wager: true }),
    [...spins, contribution({ baseWagerAtoms: atoms('11') })],
    [
      parameters(
        rules({
          max_contribution_value: '',
          max_contribution_values_alt: [{ currency: 'EUR', value: '0.05' }],
          cap_contribution_by_base_wager: '0.5',
        }),
      ),
    ],
    [contribution({ baseWagerAtoms: atoms('0.6') }), contribution({ baseWagerAtoms: atoms('0.01') })],
  );
  return lane;
}

function bounded(): PublishingLane {
  const percentage = withRules({ contribution_type: { Percentage: '0.5' } });
  const bonus = { amountAtoms: atoms('0.01'), currency: 'EUR' } as never;
  return played(
    percentage,
    [
      contribution({ maxBetAtoms: atoms('0.1') }),
      parameters(withRules({ opt_in_required: false, max_contribution: { max_contribution_value: '5' } })),
    ],
    [contribution({ bonus }), optIn('0.2'), contribution()],
  );
}

function inCurrency(currency: string): PublishingLane {
  const configuration = { ...withRules({ contribution_type: { Percentage: '0.7' } }), currency };
  const spin = (index: number) =>
    contribution({ currency, player: `p${index % 3}`, baseWagerAtoms: atoms('123.45678901') });
  const [pot] = configuration.pots;
  const hit = [{ HitRate: { max_magic_number: 2, cost_per_attempt: '0.1' } }];
  return played({ ...configuration, pots: [{ ...pot!, ...shares, pot_types: hit }] }, [
    spin(0),
    [spin(1), spin(2)],
    contribution({ currency: 'EUR' }),
  ]);
}

function beacons(): PublishingLane {
  const lane = new PublishingLane();
  const [brand, create, open, activate] = running({ ...jackpot(), draw_beacon: 'Required' });
  lane.apply(brand!, create!, open!);
  lane.apply(handIn('jackpot', 0), handIn('jackpot', 1), activate!);
  for (const next of [2, 3]) {
    lane.apply(contribution(), contribution());
    lane.end();
    lane.apply(handIn('jackpot', next));
  }
  return lane;
}

function waitingParameters(): PublishingLane {
  const next = parameters(jackpot({ ...external, is_progressive: false, enabled: true }));
  const last = parameters({ ...jackpot(external), max_instantiation_count: 1 });
  return played(
    jackpot(external),
    [contribution(), [contribution(), next, contribution(), trigger, contribution()]],
    [contribution(), trigger],
    [contribution(), next],
    [trigger, contribution(), [contribution(), trigger, last]],
    [contribution(), trigger],
  );
}

function risingMaximum(): PublishingLane {
  const maximum = (maximum_pot_value: string) => jackpot({ ...external, maximum_pot_value });
  return played(
    maximum('3.02'),
    [contribution(), [contribution(), parameters(maximum('9')), contribution(), contribution()]],
    [contribution(), [parameters(maximum('9.5')), contribution(), parameters(maximum('4'))]],
    [contribution(), trigger],
    [contribution()],
  );
}

function waitingPayments(): PublishingLane {
  const sure = { pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }], ...shares };
  return played(jackpot(sure), [
    contribution(),
    setBrand({ wallet: true }),
    contribution({ player: 'p2' }),
    setBrand({ verificationLimitAtoms: atoms('0.01') }),
    contribution({ player: 'p3' }),
  ]);
}

function repriced(): PublishingLane {
  const lane = played(jackpot(), []);
  const yen = contribution({ currency: 'JPY', baseWagerAtoms: atoms('100') });
  lane.apply(yen, setRates([['JPY', '150', null]], { version: 2 }), yen);
  lane.end();
  return lane;
}

function flushed(): PublishingLane {
  const target = { External: { endpoint: 'https://pool.example/flush', account_id: 'charity' } };
  const house_pot = {
    contribution_type: { Percentage: '0.3' },
    diversion_rules: { diversion_percentage: '0.5', flush_threshold: '0.04', target },
  };
  const lane = played({ ...jackpot(external), house_pot }, [contribution(), contribution()]);
  const work = lane.apply(contribution()).work;
  lane.end();
  lane.apply(...work.flatMap(confirmed));
  lane.end();
  return lane;
}

function confirmed(work: LaneWork): readonly Command[] {
  if (work.kind !== 'FlushDue') return [];
  const { flushId, instance } = work.flush;
  return [{ kind: 'FlushSettled', flushId, instance, result: 'confirmed' }];
}

/** Epochs last longer than a day: tests end them by the day. */
function rounds(raffle_rules: Rules, changes: Rules = {}): InstanceConfigurationDocument {
  const configuration = raffle({ Days: 2 });
  return {
    ...configuration,
    ...changes,
    raffle_rules: { ...(configuration.raffle_rules as object), ...raffle_rules },
  };
}

function deferred(): PublishingLane {
  const spins = ['p1', 'p2', 'p1'].map((player) => contribution({ player }));
  const configuration = rounds({ allocation_mode: 'Deferred', cost_source: 'BaseWager' });
  return played(configuration, spins, spins, [contribution({ player: 'p3' })], []);
}

function scheduled(): PublishingLane {
  const lane = new PublishingLane();
  const { nowMs } = lane.lane;
  const timestamps_end = [nowMs + hourMs, nowMs + 2 * hourMs];
  const [brand, , open, activate] = running(jackpot());
  const configuration = rounds({ duration: { Scheduled: { timestamps_end } } });
  const create = createInstance(configuration, { timestampEndMs: nowMs + 3 * hourMs });
  lane.apply(brand!, create, open!, activate!);
  for (let round = 1; round <= 3; round += 1) {
    lane.apply(contribution({ player: `p${round}` }));
    lane.lane.nowMs += hourMs;
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
  }
  lane.end();
  return lane;
}

function lastCycle(): PublishingLane {
  const configuration = rounds({ duration: { Hours: 1 } }, { max_instantiation_count: 2 });
  return played(configuration, [contribution()], [contribution()], []);
}

function shared(): PublishingLane {
  const spins = ['p1', 'p2', 'p3', 'p1'].map((player, index) =>
    contribution({ player, baseWagerAtoms: atoms(String(index + 1)) }),
  );
  const configuration = withRules(
    { contribution_type: { Percentage: '0.1' } },
    { ...external, ...shares, win_constraints: [{ MinInterval: 2 }] },
  );
  return played(configuration, [...spins, trigger, ...spins], [...spins, trigger, ...spins, trigger]);
}

function receipt(): PublishingLane {
  const lane = new PublishingLane();
  const [pot] = jackpot(external).pots;
  const source = { ...jackpot(external), max_instantiation_count: 1, pots: [{ ...pot!, id: 'old' }] };
  lane.apply(...running(source, 'source'), ...running(jackpot(external)).slice(1));
  lane.apply(contribution({ target: { type: 'instance', id: 'source' } }), contribution());
  lane.apply({ ...trigger, instance: 'source', pot: 'old' });
  lane.apply({ ...setStatus('Completed', 'source'), to: 'jackpot' });
  lane.apply(contribution());
  lane.end();
  return lane;
}

function resumed(): PublishingLane {
  const lane = new PublishingLane(1000);
  playTimed(lane);
  return lane;
}

/** The wallet answers when the round is over, and before it is drawn. */
function lateDebit(): PublishingLane {
  const lane = new PublishingLane();
  lane.apply(...running(rounds({ duration: { Hours: 1 } })), setBrand({ wallet: true }));
  const { work } = lane.apply(contribution({ wallet: true }));
  lane.lane.nowMs += 2 * hourMs;
  lane.apply({ kind: 'Tick', instance: 'jackpot' });
  const settled = work.flatMap((each): readonly Command[] =>
    each.kind === 'DebitDue'
      ? [{ kind: 'DebitSettled', transactionId: each.debit.transactionId, result: 'debited' }]
      : [],
  );
  lane.apply(...settled);
  lane.apply({ kind: 'Tick', instance: 'jackpot' });
  lane.end();
  return lane;
}

const shares = {
  payout_ruleset: {
    main_winner_percentage: '0.4',
    admin_fee: '0.05',
    payout_rules: [
      { payout_percentage: '0.2', rule: { HighestLifetimeContributors: { max_number_of_payouts: 2 } } },
      { payout_percentage: '0.1', rule: { HighestContributors: { max_number_of_payouts: 2 } } },
      {
        payout_percentage: '0.15',
        rule: { ActivePlayers: { period_before_win: 90_000_000, max_number_of_payouts: 2 } },
      },
    ],
  },
};

const trigger = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'mini',
  brand: 'op:main',
  player: 'p1',
  source: 'slot-1',
  user: 'admin',
  idempotencyKey: null,
} as const satisfies Command;

function parameters(configuration: InstanceConfigurationDocument): Command {
  const change = { kind: 'SetParameters', instance: 'jackpot', reason: 'test', user: 'admin' } as const;
  return { ...change, configuration, expectedVersion: null };
}

function optIn(value: string): Command {
  return {
    kind: 'OptIn',
    instance: 'jackpot',
    brand: 'op:main',
    player: 'p1',
    country: 'DE',
    optIn: true,
    valueAtoms: atoms(value),
    currency: 'EUR',
    linked: false,
    user: '',
  };
}
