import { JsonText, writeJson } from '../lib/json.ts';
import { type Members, members } from '../lib/unknown-json.ts';
import { configurationView, potView } from './document-view.ts';

/** What a full instance shows of its configuration. */
export interface ShownConfiguration {
  /** In the order of the answer. The house pot and the pots only mark their places. */
  readonly members: Members;
  readonly house: Members;
  /** By their ids. */
  readonly pots: ReadonlyMap<string, Members>;
  /** Shown of a pot that the configuration does not have. */
  readonly otherPot: Members;
}

/** The parts of a configuration in normal form, as an answer shows them. */
export function shownConfiguration(document: unknown): ShownConfiguration {
  const view = configurationView(document);
  const pots = view.pots as readonly Members[];
  return {
    members: { ...view, house_pot: null, pots: null },
    house: members(view.house_pot),
    pots: new Map(pots.map((pot) => [String(pot.id), pot])),
    otherPot: potView({}, members(document).jackpot_type),
  };
}

/** The same with its values as JSON. Whoever writes an answer with them writes only the values of the instance. */
export function writtenConfiguration(document: unknown): ShownConfiguration {
  const shown = shownConfiguration(document);
  return {
    members: written(shown.members),
    house: written(shown.house),
    pots: new Map([...shown.pots].map(([id, pot]) => [id, written(pot)])),
    otherPot: written(shown.otherPot),
  };
}

function written(values: Members): Members {
  const texts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values))
    texts[name] = value === undefined ? undefined : new JsonText(writeJson(value));
  return texts;
}
