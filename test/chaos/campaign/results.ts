import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CampaignResult } from './campaign.ts';

/** One line of the file for each round, and one for each campaign whose books were checked: only then its rounds count. */
type Line =
  | {
      readonly kind: 'round';
      readonly campaign: string;
      readonly scenario: string;
      readonly round: number;
      readonly freeGapMs: number;
      readonly paidGapMs: number;
    }
  | {
      readonly kind: 'checked';
      readonly campaign: string;
      readonly scenario: string;
      readonly sent: number;
      readonly lost: number;
      readonly doubled: number;
      readonly violations: readonly string[];
      /** What clients saw beside answers, each with how often; files of earlier versions lack it. */
      readonly errors?: readonly (readonly [string, number])[];
    };

/** Results of campaigns on disk: a run over hours goes on where it was broken off. */
export class Results {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
  }

  round(campaign: string, scenario: string, round: number, freeGapMs: number, paidGapMs: number): void {
    this.#append({ kind: 'round', campaign, scenario, round, freeGapMs, paidGapMs });
  }

  checked(campaign: string, result: CampaignResult): void {
    const { scenario, sent, lost, doubled, violations, errors } = result;
    const counts = { sent, lost, doubled, errors: [...errors] };
    this.#append({ kind: 'checked', campaign, scenario, ...counts, violations });
  }

  /** All campaigns of a scenario whose books were checked, as one. */
  of(scenario: string): CampaignResult {
    const lines = this.#lines().filter((line) => line.scenario === scenario);
    const checked = lines.filter((line) => line.kind === 'checked');
    const campaigns = new Set(checked.map(({ campaign }) => campaign));
    const rounds = lines
      .filter((line) => line.kind === 'round')
      .filter((line) => campaigns.has(line.campaign));
    const sum = (of: 'sent' | 'lost' | 'doubled'): number => checked.reduce((all, line) => all + line[of], 0);
    return {
      scenario,
      rounds: rounds.length,
      freeGapsMs: rounds.map(({ freeGapMs }) => freeGapMs),
      paidGapsMs: rounds.map(({ paidGapMs }) => paidGapMs),
      sent: sum('sent'),
      lost: sum('lost'),
      doubled: sum('doubled'),
      errors: summed(checked.flatMap(({ errors }) => errors ?? [])),
      notes: new Map(),
      violations: checked.flatMap(({ violations }) => violations),
    };
  }

  #append(line: Line): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** A line that was cut off in the middle is none. */
  #lines(): Line[] {
    if (!existsSync(this.#file)) return [];
    return readFileSync(this.#file, 'utf8')
      .split('\n')
      .flatMap((text) => {
        try {
          return [JSON.parse(text) as Line];
        } catch {
          return [];
        }
      });
  }
}

function summed(counts: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [what, count] of counts) sums.set(what, (sums.get(what) ?? 0) + count);
  return sums;
}
