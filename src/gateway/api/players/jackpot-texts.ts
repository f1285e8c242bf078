import {
  frontendJackpot,
  liveInstance,
  operatorJackpot,
  tickerView,
} from '../../../contracts/jackpots/instance-view.ts';
import { optInStatusView } from '../../../contracts/jackpots/opt-in.ts';
import type { KnownInstance } from '../../../directory/lane-view.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import { writeJson } from '../../../lib/json.ts';
import type { OptInStatusRecord } from '../../../messages/records.ts';

/** The answers of lookups as JSON, written once for each state of an instance. */
interface Written {
  readonly of: unknown;
  readonly liveValues: unknown;
  readonly structure: number;
  readonly text: string;
}

type Texts = WeakMap<KnownInstance, Written>;

const tickers: Texts = new WeakMap();
const frontendJackpots: Texts = new WeakMap();
const operatorJackpots: Texts = new WeakMap();
const statuses = new WeakMap<OptInStatusRecord, string>();

/** O20. Who is allowed depends on the directory's structure, too. */
export function instanceTickerText(known: KnownInstance, directory: ReadModel): string {
  return written(tickers, known, directory.structure, () =>
    tickerView(known.description, known.liveValues, known.configuration.pots, {
      brands: directory.allowedBrands(known),
      sources: directory.sourcesOf(known.description.instance),
    }),
  );
}

/** O13. `status`: of the player who has shown a token. */
export function frontendJackpotText(known: KnownInstance, status: OptInStatusRecord | null): string {
  const text = written(frontendJackpots, known, 0, () =>
    frontendJackpot(known.description, known.liveValues, known.configuration.pots),
  );
  return status === null ? text : withStatus(text, status);
}

/** O12. */
export function operatorJackpotText(known: KnownInstance, status: OptInStatusRecord): string {
  const text = written(operatorJackpots, known, 0, () =>
    operatorJackpot(liveInstance(known.description, known.liveValues), undefined),
  );
  return withStatus(text, status);
}

function written(texts: Texts, known: KnownInstance, structure: number, view: () => unknown): string {
  const last = texts.get(known);
  const { description, liveValues } = known;
  if (last?.of === description && last.liveValues === liveValues && last.structure === structure)
    return last.text;
  const text = writeJson(view());
  texts.set(known, { of: description, liveValues, structure, text });
  return text;
}

/** The text of an object with one member more. */
function withStatus(text: string, status: OptInStatusRecord): string {
  let member = statuses.get(status);
  if (member === undefined) {
    member = writeJson(optInStatusView(status));
    statuses.set(status, member);
  }
  return `${text.slice(0, -1)},"optin_status":${member}}`;
}
