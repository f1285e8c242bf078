import { isDocument, Reader } from '../../../lib/document-reader.ts';
import { addFractions, compareFractions, one, zero } from '../../../lib/fraction.ts';
import type {
  Configuration,
  HousePot,
  PotConfiguration,
  Share,
} from '../../state/configuration/configuration.ts';
import { readPot } from './pot.ts';
import { asRafflePot, readRaffle } from './raffle-rules.ts';
import { readRules } from './rules.ts';
import { noShare, readPart } from './shares.ts';
import { warningsOf } from './warnings.ts';

/** Words for a pot's index must fit its byte in the draw records, and a mask of pots a 32-bit number. */
const maxPots = 16;
/** Triggers of all pots: a draw record counts them in one byte. */
const maxTriggers = 128;

type ParsedConfiguration =
  | { readonly ok: true; readonly configuration: Configuration }
  | { readonly ok: false; readonly faults: readonly string[] };

/** Reads a configuration in normal form, with defaults (docs/rules/configuration.md), or names all faults. */
export function parseConfiguration(document: unknown): ParsedConfiguration {
  const faults: string[] = [];
  if (!isDocument(document)) return { ok: false, faults: ['configuration must be an object'] };
  const reader = new Reader(document, '', faults);
  const currency = reader.currency('currency');
  const jackpotType = reader.oneOf('jackpot_type', ['Jackpot', 'Raffle'], 'Jackpot');
  const raffle = readRaffle(reader, jackpotType);
  const pots = readPots(reader);
  const configuration: Configuration = {
    document,
    currency,
    jackpotType,
    maxCycles: reader.integer('max_instantiation_count', 1, null),
    selector: reader.oneOf('win_selector_strategy', ['Lowest', 'Highest', 'First'], 'Lowest'),
    rules: readRules(reader),
    house: readHouse(reader),
    wantsBeacon: reader.oneOf('draw_beacon', ['None', 'Required'], 'None') === 'Required',
    raffle,
    pots: raffle === null ? pots : pots.map(asRafflePot),
  };
  checkShares(configuration, faults);
  return faults.length === 0 ? { ok: true, configuration } : { ok: false, faults };
}

/** The faults and warnings for an administrator before creating: faults refuse, warnings do not. */
export function checkConfiguration(document: unknown): {
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
} {
  const parsed = parseConfiguration(document);
  return parsed.ok
    ? { faults: [], warnings: warningsOf(parsed.configuration) }
    : { faults: parsed.faults, warnings: [] };
}

function readHouse(reader: Reader): HousePot {
  const house = reader.child('house_pot');
  const type = readPart(house, 'contribution_type', noShare);
  if (!house.has('diversion_rules')) return { type, diversion: null };
  const rules = house.child('diversion_rules');
  const percentage = rules.fraction('diversion_percentage', zero);
  if (compareFractions(percentage, one) > 0) rules.fault('diversion_percentage', 'must not exceed 1');
  const external = rules.child('target').child('External');
  return {
    type,
    diversion: {
      percentage,
      flushThresholdAtoms: rules.raw('flush_threshold') === '' ? null : rules.amount('flush_threshold', null),
      endpoint: external.text('endpoint', ''),
      accountId: external.text('account_id', ''),
    },
  };
}

function readPots(reader: Reader): readonly PotConfiguration[] {
  const documents = reader.list('pots');
  if (documents.length === 0) reader.fault('pots', 'must name at least one pot');
  if (documents.length > maxPots) reader.fault('pots', `must not be more than ${maxPots}`);
  const pots = documents.slice(0, maxPots).map((document, index) => {
    const path = `pots[${index}]`;
    if (!isDocument(document)) reader.faults.push(`${path} must be an object`);
    return readPot(isDocument(document) ? document : {}, path, reader.faults);
  });
  const ids = new Set(pots.map((pot) => pot.id));
  if (ids.size !== pots.length) reader.fault('pots', 'must have different ids');
  if (ids.has('house')) reader.fault('pots', 'cannot hold an id `house`, which names the house pot');
  const triggers = pots.reduce((total, pot) => total + pot.triggers.length, 0);
  if (triggers > maxTriggers) reader.fault('pots', `must not have more than ${maxTriggers} triggers`);
  return pots;
}

function checkShares(configuration: Configuration, faults: string[]): void {
  const shares: readonly Share[] = [configuration.house.type, ...configuration.pots.map((pot) => pot.share)];
  const total = shares.reduce((sum, share) => addFractions(sum, share.percentage ?? zero), zero);
  if (compareFractions(total, one) > 0) faults.push('house_pot and pots take more than 1 of a contribution');
}
