import { idempotencyHash } from '../../../src/gateway/api/contribution/repeated.ts';
import { toHex } from '../../../src/lib/bytes.ts';
import { parseAmount } from '../../../src/lib/money.ts';
import { type CommandResult, potstream } from '../../cli/support/command.ts';
import { type PayingOperator, payingBrand } from '../../support/paying-operator.ts';
import { readLaneHistory } from '../check/lane-history.ts';
import { compareLedgers, faultLines } from '../check/ledger.ts';
import type { World } from './scenario.ts';
import { until } from './wait.ts';

const restLimitMs = 180_000;
const reconciledMs = 2_000;

export interface CheckedBooks {
  readonly lost: number;
  readonly doubled: number;
  readonly faults: readonly string[];
}

/** After the last round: every key again, the log against the clients' ledger, accounts, audit, and the wallet's statements. */
export async function checkBooks(world: World, startedMs: number): Promise<CheckedBooks> {
  const { system, traffic, operators } = world;
  await traffic.repeatAll();
  await world.atRest();
  const history = await readLaneHistory(system.settings('replay'), 0);
  const faults = compareLedgers(traffic.sent, history.applied, (operator, key) =>
    toHex(idempotencyHash(operator, key)),
  );
  const found = [...faultLines(faults), ...history.faults];
  for (const { instance, kind } of [operators.free, operators.paid])
    found.push(...(await accountFaults(world, instance, kind, history.accounts.get(instance) ?? {})));
  const environment = system.environment('replay');
  const audit = await potstream(['audit', '--json'], {
    ...environment,
    POTSTREAM_HOST_DIRECTORY: system.hostDirectoryOf('actors-1'),
  });
  if (audit.code !== 0) found.push(`potstream audit: ${textOf(audit)}`);
  found.push(...(await reconcile(world, startedMs)));
  return { lost: faults.lost.length, doubled: faults.doubled.length, faults: found };
}

/** Waits until no debit or credit is open. */
export function untilAtRest(paying: PayingOperator): Promise<void> {
  return until(
    'no debit or credit is open',
    async () => {
      const open = await paying.openWork();
      const { accounts } = await paying.conservation();
      const owed = Number(accounts.win_liability ?? 0);
      return (open === 0 && owed === 0) || `${open} open, ${owed} owed`;
    },
    restLimitMs,
  );
}

/** What the gateway says of every account now, as text, by the kind of the operator and the account. */
export async function accountsOf({ system, operators }: World): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>();
  for (const { instance, kind } of [operators.free, operators.paid])
    for (const [name, atoms] of (await conservation(system.gatewayUrls, instance)).served)
      all.set(`${kind} ${name}`, String(atoms));
  return all;
}

/** Accounts add up to zero, and are those that follow from the log. */
async function accountFaults(
  { system }: World,
  instance: string,
  kind: string,
  replayed: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { served, sum } = await conservation(system.gatewayUrls, instance);
  const faults: string[] = [];
  if (sum !== '0') faults.push(`the accounts of the ${kind} instance add up to ${sum}`);
  const total = [...served.values()].reduce((all, atoms) => all + atoms, 0n);
  if (total !== 0n) faults.push(`the accounts of the ${kind} instance are ${total} atoms apart`);
  for (const name of new Set([...served.keys(), ...Object.keys(replayed)])) {
    const [here, there] = [served.get(name) ?? 0n, BigInt(replayed[name] ?? 0)];
    if (here !== there) faults.push(`${kind} ${name}: served ${here} atoms, replayed ${there}`);
  }
  return faults;
}

async function conservation(gatewayUrls: readonly string[], instance: string) {
  const answer = await fetch(`${gatewayUrls[0]}/v1/fairness/instances/${instance}/conservation`);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`conservation: ${answer.status} ${text}`);
  // As texts: a double may be less exact.
  const exact = text.replaceAll(/:(-?[0-9.]+)(?=[,}])/g, ':"$1"');
  const { accounts, sum } = JSON.parse(exact) as { accounts: Record<string, string>; sum: string };
  const served = new Map(Object.entries(accounts).map(([name, amount]) => [name, atomsOf(amount)]));
  return { served, sum };
}

function atomsOf(amount: string): bigint {
  const parsed = parseAmount(amount);
  if (!parsed.ok) throw new Error(`${amount} is no amount`);
  return parsed.atoms;
}

/** The brand's debits and credits in the lane against the statements of its wallet. */
async function reconcile({ system }: World, startedMs: number): Promise<string[]> {
  const [from, to] = [startedMs - reconciledMs, Date.now() - 1];
  const result = await potstream(
    [
      ...['reconcile', '--brand', payingBrand, '--json'],
      ...['--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()],
    ],
    system.environment('reconcile'),
  );
  return result.code === 0 ? [] : [`potstream reconcile: ${textOf(result)}`];
}

function textOf({ code, stdout, stderr }: CommandResult): string {
  return `exit code ${code}: ${stdout.slice(-1500)} ${stderr.slice(-1500)}`;
}
