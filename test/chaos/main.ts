import { parseArgs } from 'node:util';
import { type CampaignOptions, type CampaignResult, runCampaign } from './campaign/campaign.ts';
import { report } from './campaign/report.ts';
import { Results } from './campaign/results.ts';
import type { Need, Scenario } from './campaign/scenario.ts';
import { scenarios, tableNames } from './scenarios/index.ts';

const usage = `npm run chaos -- SCENARIO … [--rounds N] [--seed N] [--seconds N] [--keep]
npm run chaos -- table [--rounds N] [--results FILE] …
npm run chaos -- list`;
const defaultResults = '.potstream/chaos/results.jsonl';
/** The table checks the books after so many rounds: what is broken off costs no more. */
const roundsBetweenChecks = 5;

const needTexts: Readonly<Record<Need, string>> = {
  namespaces: 'network namespaces, which need root and ip of iproute2',
  mounts: 'a tmpfs, which needs root',
  faketime: 'libfaketime, which is fetched with apt-get or named by POTSTREAM_FAKETIME',
};

/** `npm run chaos`: gives the exit code. */
export async function main(args: readonly string[], available: readonly Need[]): Promise<number> {
  const line = commandLine(args);
  if ('wrong' in line) {
    console.error(`${line.wrong}\n${usage}`);
    return 2;
  }
  const { values, positionals } = line;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (positionals[0] === 'list') {
    for (const { name, description } of scenarios) console.log(`${name.padEnd(28)}${description}`);
    return 0;
  }
  const isTable = positionals[0] === 'table';
  const chosen = (isTable ? tableNames : positionals).map(
    (name) => scenarios.find((each) => each.name === name) ?? name,
  );
  const unknown = chosen.filter((each) => typeof each === 'string');
  if (chosen.length === 0 || unknown.length > 0) {
    console.error(unknown.length > 0 ? `There is no scenario ${unknown.join(', ')}.\n${usage}` : usage);
    return 2;
  }
  const rounds = Number(values.rounds ?? (isTable ? 20 : 3));
  const seed = Number(values.seed ?? 1 + Math.floor(Math.random() * 2 ** 31));
  const seconds = Number(values.seconds ?? 30);
  const wrong = Object.entries({ rounds, seed, seconds }).find(([, value]) => !isCount(value));
  if (wrong !== undefined) {
    console.error(`--${wrong[0]} is a whole number above zero.\n${usage}`);
    return 2;
  }
  const options = {
    ...{ rounds, seed, seconds },
    keepData: values.keep,
    results: new Results(values.results ?? defaultResults),
    print: (line: string) => console.error(line),
  };
  console.log(`seed ${options.seed}, rounds ${options.rounds}, seconds ${options.seconds}`);
  return runAll(chosen as readonly Scenario[], options, available, isTable ? runMissing : runCampaign);
}

function commandLine(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...{ rounds: text, seed: text, seconds: text, results: text },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return { wrong: (error as Error).message };
  }
}

async function runAll(
  chosen: readonly Scenario[],
  options: Parameters<typeof runCampaign>[1],
  available: readonly Need[],
  runOne: typeof runCampaign,
): Promise<number> {
  const results: CampaignResult[] = [];
  for (const scenario of chosen) {
    const missing = (scenario.needs ?? []).filter((need) => !available.includes(need));
    if (missing.length > 0) {
      console.log(
        `${scenario.name}: skipped. It needs ${missing.map((need) => needTexts[need]).join(', and ')}.`,
      );
      continue;
    }
    options.print(`${scenario.name}: ${scenario.description}`);
    results.push(await runOne(scenario, options));
  }
  if (results.length > 0) for (const line of report(results)) console.log(line);
  return results.every(({ violations }) => violations.length === 0) ? 0 : 1;
}

/** The rounds that the file of results lacks, in campaigns of a few; gives all of them. A violation ends the scenario. */
async function runMissing(scenario: Scenario, options: CampaignOptions): Promise<CampaignResult> {
  const { results, rounds: wanted, seed } = options;
  for (;;) {
    const { rounds, violations } = results.of(scenario.name);
    if (rounds >= wanted || violations.length > 0) return results.of(scenario.name);
    const next = Math.min(roundsBetweenChecks, wanted - rounds);
    await runCampaign(scenario, { ...options, rounds: next, seed: seed + rounds });
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
