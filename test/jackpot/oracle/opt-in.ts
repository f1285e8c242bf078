import type { BulkOptIn, OptIn } from '../../../src/messages/player-commands.ts';
import type { OracleInstance } from './instance.ts';
import type { OracleLane } from './lane.ts';
import { maxAmount } from './numbers.ts';
import type { Player } from './players.ts';
import { highestValue, standardValue, unpriceable } from './price.ts';
import { covered } from './resolve.ts';
import { rulesOf } from './rules.ts';
import { copyAgain } from './switch.ts';
import { announce } from './told.ts';

export function optIn(lane: OracleLane, main: OracleInstance, command: OptIn): unknown {
  const refusal = move(lane, main, command);
  if (refusal !== null) return refusal;
  const links = command.linked ? main.links : [];
  const moved = links.map(
    (id) => move(lane, lane.instances.get(id)!, { ...command, valueAtoms: null }) === null,
  );
  return {
    kind: 'OptedIn',
    succeeded: [main.id, ...links.filter((_, i) => moved[i])],
    failed: links.filter((_, i) => !moved[i]),
  };
}

/** Rows one by one: moves without a value, on the instance alone. A job that is known already does nothing. */
export function bulkOptIn(lane: OracleLane, { job, rows }: BulkOptIn): unknown {
  const known = lane.jobs.get(job);
  if (known !== undefined) return known;
  const errors = rows.flatMap((row, index) => {
    const instance = lane.instances.get(row.instance);
    const command = {
      ...row,
      kind: 'OptIn',
      country: '',
      valueAtoms: null,
      linked: false,
      user: '',
    } as const;
    const code = instance === undefined ? 'instance_not_found' : move(lane, instance, command);
    return code === null ? [] : [[index, code]];
  });
  const outcome = { kind: 'BulkOptedIn', remaining: 0, errors };
  lane.jobs.set(job, outcome);
  return outcome;
}

function move(lane: OracleLane, instance: OracleInstance, command: OptIn): string | null {
  if (!['Pending', 'Active', 'Paused'].includes(instance.status)) return 'instance_not_active';
  if (!lane.brands.has(command.brand)) return 'brand_not_found';
  const refusal = covered(instance, command.brand, command.country === '' ? null : command.country);
  if (refusal !== null) return refusal;
  const { document } = instance;
  const currency = command.currency === '' ? document.currency : command.currency;
  const value = command.optIn ? command.valueAtoms : null;
  const { perCurrency } = rulesOf(document);
  if (command.optIn && (value !== null || perCurrency)) {
    const fault = unpriceable(lane.rates, command.brand, currency, document.currency);
    if (fault !== null) return fault;
  }
  if (value !== null) {
    if ('Percentage' in rulesOf(document).type) return 'amount_out_of_range';
    const highest = highestValue(document, command.brand, currency, lane.rates) ?? maxAmount;
    const lowest = standardValue(document, command.brand, currency, lane.rates);
    if (value < lowest || value > highest) return 'amount_out_of_range';
  }
  lane.touched.add(instance);
  announce(lane, 'optIn');
  const player = lane.players.enter(instance.id, command.brand, command.player);
  player.hasOptIn = true;
  player.isCopied = false;
  if (!command.optIn) leave(player, perCurrency ? command.currency : '');
  else if (perCurrency) {
    const before = player.byCurrency.find(([code]) => code === currency);
    const now: (typeof player.byCurrency)[number] = [currency, value ?? before?.[1] ?? null, true];
    const others = player.byCurrency.filter(([code]) => code !== currency);
    if (value !== null) player.byCurrency = [...others, now];
    else if (before !== undefined)
      player.byCurrency = player.byCurrency.map((each) => (each === before ? now : each));
    else player.byCurrency = [now, ...others];
    player.optedIn = player.byCurrency.some(([, , optedIn]) => optedIn);
  } else {
    player.byCurrency =
      value !== null
        ? [[currency, value, true]]
        : player.byCurrency.map(([code, stated]) => [code, stated, true]);
    player.optedIn = true;
    player.isOut = false;
  }
  copyAgain(lane, instance, player);
  return null;
}

/** "Opting out": by one currency, or by all; names of more currencies than these are not kept. */
function leave(player: Player, currency: string): void {
  const known = player.byCurrency.some(([code]) => code === currency);
  player.byCurrency = player.byCurrency.map(([code, stated, optedIn]) => [
    code,
    stated,
    optedIn && currency !== '' && code !== currency,
  ]);
  if (currency !== '' && !known && player.byCurrency.length < 32)
    player.byCurrency = [[currency, null, false], ...player.byCurrency];
  else if (!known) player.isOut = true;
  player.optedIn = player.byCurrency.some(([, , optedIn]) => optedIn);
}
