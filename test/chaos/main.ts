import { parseArgs } from 'node:util';
import { type CampaignResult, runCampaign } from './campaign/campaign.ts';
import { report } from './campaign/report.ts';
import type { Need, Scenario } from './campaign/scenario.ts';
import { scenarios } from './scenarios/index.ts';

const usage = `npm run chaos -- SCENARIO … [--rounds N] [--seed N] [--seconds N] [--keep]
npm run chaos -- list`;

const needTexts: Readonly<Record<Need, string>> = {
  namespaces: 'network namespaces, which need root and ip of iproute2',
  mounts: 'a tmpfs, which needs root',
  faketime: 'libfaketime, which is fetched with apt-get or named by POTSTREAM_FAKETIME',
};

/** `npm run chaos`: gives the exit code. */
export async function main(args: readonly string[], available: readonly Need[]): Promise<number> {
  const number = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { rounds: number, seed: number, seconds: number, keep: { type: 'boolean', default: false } },
  });
  if (positionals[0] === 'list') {
    for (const { name, description } of scenarios) console.log(`${name.padEnd(28)}${description}`);
    return 0;
  }
  const chosen = positionals.map((name) => scenarios.find((each) => each.name === name) ?? name);
  const unknown = chosen.filter((each) => typeof each === 'string');
  if (chosen.length === 0 || unknown.length > 0) {
    console.error(unknown.length > 0 ? `There is no scenario ${unknown.join(', ')}.\n${usage}` : usage);
    return 2;
  }
  const options = {
    rounds: positive('--rounds', values.rounds ?? '3'),
    seed: positive('--seed', values.seed ?? String(1 + Math.floor(Math.random() * 2 ** 31))),
    seconds: positive('--seconds', values.seconds ?? '30'),
    keepData: values.keep,
    print: (line: string) => console.error(line),
  };
  console.log(`seed ${options.seed}, rounds ${options.rounds}, seconds ${options.seconds}`);
  return runAll(chosen as readonly Scenario[], options, available);
}

async function runAll(
  chosen: readonly Scenario[],
  options: Parameters<typeof runCampaign>[1],
  available: readonly Need[],
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
    results.push(await runCampaign(scenario, options));
  }
  if (results.length > 0) for (const line of report(results)) console.log(line);
  return results.every(({ violations }) => violations.length === 0) ? 0 : 1;
}

function positive(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`${option} ${text}: not a whole number above zero`);
  return value;
}
