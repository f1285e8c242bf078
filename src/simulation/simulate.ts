import { plainContribution } from '../actors/replica/plain-contribution.ts';
import type { Command } from '../messages/commands.ts';
import type { Contribute } from '../messages/player-commands.ts';
import { Chance, Wagers } from './chance.ts';
import type { SimulationChoices, Template } from './choices.ts';
import { Collector } from './collector.ts';
import { makeReport, type Totals } from './make-report.ts';
import type { SimulationReport } from './report.ts';
import { Sampler } from './sampler.ts';
import { instanceId, VirtualLane } from './virtual-lane.ts';

/** As a gateway does, contributions that come close together share a message. */
const messageMs = 50;
const maxPerMessage = 200;

/** Plays a template on the production engine. The same template, choices and seed give the same report. */
export function simulate(
  template: Template,
  choices: SimulationChoices,
  progress: (done: number) => void,
): SimulationReport {
  const { configuration } = template;
  const ids = configuration.pots.map(({ id }) => String(id));
  const collector = new Collector(ids);
  const lane = new VirtualLane(choices.seed, collector);
  const players = new Visitors(template, choices);
  lane.open(configuration, players.brand, ratesOf(configuration.currency, choices), choices.startMs);
  const sampler = new Sampler(lane.engine, ids.length, choices.contributions, choices.startMs);
  const totals: Totals = { accepted: 0, refused: {}, wageredAtoms: 0n, contributedAtoms: 0n };
  sampler.at(0, choices.startMs);

  let sent = 0;
  let fronts = 0;
  let next = players.next();
  let nowMs = choices.startMs;
  while (sent < choices.contributions) {
    const batch: Contribute[] = [];
    const optIns: Command[] = [];
    const fromMs = next.atMs;
    while (batch.length < maxPerMessage && next.atMs < fromMs + messageMs && sent < choices.contributions) {
      optIns.push(...next.optIn);
      batch.push(next.contribution);
      sent += 1;
      nowMs = next.atMs;
      next = players.next();
    }
    if (optIns.length > 0) lane.send(optIns, Math.floor(nowMs));
    const outcomes = lane.send(batch, Math.floor(nowMs));
    if (collector.fronts > fronts) sampler.fronted();
    fronts = collector.fronts;
    outcomes.forEach((outcome, index) => {
      if (outcome.kind === 'Contributed') {
        totals.accepted += 1;
        totals.wageredAtoms += batch[index]!.baseWagerAtoms;
        totals.contributedAtoms += outcome.results[0]!.contributionAtoms;
      } else if (outcome.kind === 'Refused') {
        totals.refused[outcome.code] = (totals.refused[outcome.code] ?? 0) + 1;
      }
    });
    collector.accepted = totals.accepted;
    sampler.at(totals.accepted, nowMs);
    progress(sent);
    if (isOver(lane)) break;
  }
  sampler.end(totals.accepted, nowMs);
  return makeReport(template, choices, players.currency, lane.engine, collector, sampler, totals, nowMs);
}

/** Who contributes, what and when. */
export class Visitors {
  readonly brand: string;
  readonly currency: string;
  readonly #choices: SimulationChoices;
  readonly #chance: Chance;
  readonly #wagers: Wagers;
  readonly #country: string;
  readonly #optsIn: boolean;
  readonly #known = new Set<number>();
  #atMs: number;
  #count = 0;

  constructor({ configuration }: Template, choices: SimulationChoices) {
    const rules = configuration.contribution_rules;
    const countries = rules.country_filters as { readonly white_list?: readonly string[] } | undefined;
    const [allowed] = (rules.allowed_brands ?? []) as readonly string[];
    this.brand = allowed === undefined ? 'simulation:players' : qualified(allowed);
    this.currency = choices.currency ?? configuration.currency;
    this.#choices = choices;
    this.#chance = new Chance(choices.seed);
    this.#wagers = new Wagers(choices.stakes);
    this.#country = choices.country ?? countries?.white_list?.[0] ?? '';
    this.#optsIn = rules.opt_in_required === true;
    this.#atMs = choices.startMs;
  }

  next(): { readonly atMs: number; readonly optIn: readonly Command[]; readonly contribution: Contribute } {
    this.#atMs += this.#chance.gapMs(this.#choices.perSecond);
    this.#count += 1;
    // Some players play much more than others.
    const player = Math.floor(this.#choices.players * this.#chance.next() ** 2);
    const isNew = this.#optsIn && !this.#known.has(player);
    if (isNew) this.#known.add(player);
    return {
      atMs: this.#atMs,
      optIn: isNew ? [this.#optIn(player)] : [],
      contribution: this.#contribution(player),
    };
  }

  #contribution(player: number): Contribute {
    const contributionId = new Uint8Array(16);
    new DataView(contributionId.buffer).setBigUint64(8, BigInt(this.#count));
    return plainContribution({
      contributionId,
      instance: instanceId,
      operator: this.brand.split(':')[0]!,
      brand: this.brand,
      player: `player-${player}`,
      country: this.#country,
      baseWagerAtoms: this.#wagers.pick(this.#chance),
      currency: this.currency,
      gameround: '',
      idempotencyKey: null,
    });
  }

  #optIn(player: number): Command {
    return {
      kind: 'OptIn',
      instance: instanceId,
      brand: this.brand,
      player: `player-${player}`,
      country: this.#country,
      optIn: true,
      valueAtoms: null,
      currency: this.currency,
      linked: false,
      user: '',
    };
  }
}

function qualified(brand: string): string {
  return brand.includes(':') ? brand : `simulation:${brand}`;
}

/** Multipliers of the jackpot's currency and of the wagers'. */
export function ratesOf(base: string, { currency, rate, exponent }: SimulationChoices) {
  const own = [base, '1', exponent] as const;
  if (currency === null || currency === base) return exponent === null ? [] : [own];
  return [own, [currency, rate ?? '1', null] as const].sort(([a], [b]) => (a < b ? -1 : 1));
}

function isOver(lane: VirtualLane): boolean {
  const status = lane.engine.liveValues(instanceId)!.status;
  return !['Active', 'Resolving'].includes(status);
}
