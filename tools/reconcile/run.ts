import { openBrandWallets } from '../../src/access/keys/brand-wallets.ts';
import { SealKeyError } from '../../src/access/keys/seal.ts';
import { ofRunningSystem } from '../../src/cli/system/nats-access.ts';
import type { CommandOutput } from '../../src/cli/terminal/output.ts';
import type { Settings } from '../../src/config/settings.ts';
import { connectReader } from '../../src/log/jetstream/connect.ts';
import { readSystemLanes } from '../../src/log/system/system-lanes.ts';
import { dnsResolver } from '../../src/outbound/checked-addresses.ts';
import { type Log, LogError } from '../../src/ports.ts';
import { dataPaths } from '../../src/runtime/data-directory.ts';
import { logSettings, systemClock, systemRandom, withArchive } from '../../src/wiring.ts';
import type { Period } from './compare.ts';
import { reconcile } from './reconcile.ts';
import { statementsOfFile } from './statements-file.ts';
import { statementsOfWallet } from './statements-of-wallet.ts';
import { differenceLine, handLine, summaryText, whatToDo } from './text.ts';
import { StatementError, type StatementRow } from './transaction.ts';

export interface ReconcileChoices {
  readonly brand: string;
  readonly from: number;
  readonly to: number;
  readonly file?: string;
  readonly lookBack: number;
  readonly json?: boolean;
}

const hourMs = 3_600_000;

/**
 * `potstream reconcile`: 0 without a difference, 1 with one or where something cannot be read, 2 for a wrong
 * period.
 */
export async function reconcileCommand(
  settings: Settings,
  choices: ReconcileChoices,
  output: CommandOutput,
): Promise<number> {
  const { brand, from: fromMs, to: toMs } = choices;
  if (fromMs >= toMs || toMs > systemClock.nowMs()) {
    output.print('The period must begin before its end, and end before now.');
    return 2;
  }
  const reach = ofRunningSystem(settings, 'reconcile');
  try {
    const log = withArchive(await connectReader(logSettings(reach, 'reconcile')), settings);
    try {
      const lanes = (await readSystemLanes(await log.table('PLACEMENT'))) ?? settings.lanes;
      const statements = (needed: Period) => statementsOf(reach, log, choices, needed);
      const lookBackMs = choices.lookBack * hourMs;
      const input = { log, lanes, brand, fromMs, toMs, lookBackMs, statements };
      return await report(input, choices.json === true, output);
    } finally {
      await log.close();
    }
  } catch (error) {
    const isKnown =
      error instanceof StatementError || error instanceof LogError || error instanceof SealKeyError;
    if (!isKnown) throw error;
    output.print(`Cannot be reconciled: ${error.message}`);
    return 1;
  }
}

async function report(
  input: Parameters<typeof reconcile>[0],
  json: boolean,
  { write }: CommandOutput,
): Promise<number> {
  const line = (value: unknown) => write(`${JSON.stringify(value)}\n`);
  const summary = await reconcile(input, {
    difference: (one) =>
      json ? line({ difference: { ...one, what_to_do: whatToDo[one.kind] } }) : write(differenceLine(one)),
    onBehalf: (one) => (json ? line({ by_hand: one }) : write(handLine(one))),
  });
  if (json) line({ summary });
  else write(summaryText(summary));
  return summary.differences === 0 ? 0 : 1;
}

async function* statementsOf(
  settings: Settings,
  log: Log,
  { brand, file }: ReconcileChoices,
  needed: Period,
): AsyncGenerator<StatementRow> {
  if (file !== undefined) {
    yield* statementsOfFile(file);
    return;
  }
  const wallets = await openBrandWallets(await log.table('ACCOUNTS'), {
    random: systemRandom,
    keysDirectory: dataPaths(settings.dataDirectory).keys,
    newKeys: false,
  });
  try {
    const wallet = wallets.find(brand);
    if (wallet === undefined) throw new StatementError(`${brand} has no wallet.`);
    const addresses = { resolve: dnsResolver(), development: settings.development === true };
    yield* statementsOfWallet(wallet, needed, addresses);
  } finally {
    await wallets.stop();
  }
}
