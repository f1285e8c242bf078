import { brandOf, operatorOf } from '../contracts/fields/identifiers.ts';
import { isTerminal } from '../messages/records.ts';
import type { KnownInstance } from './lane-view.ts';
import type { ReadModel } from './read-model.ts';

/** What everybody may see, by the settings of brands and owners (docs/rules/feeds.md "Public feed"). */
type PublicSetting = 'public_feed' | 'public_winners';

/** Whether the owner, an operator or a brand path, has the setting. */
export function hasSetting({ entries }: ReadModel, owner: string, setting: PublicSetting): boolean {
  const entry = brandOf(owner) === null ? entries.operators.get(owner) : entries.brands.get(owner);
  return entry?.[setting] === true;
}

/** Whether the brand has a public feed now. */
export function hasPublicFeed(readModel: ReadModel, brand: string): boolean {
  return readModel.entries.enabled(brand) === true && hasSetting(readModel, brand, 'public_feed');
}

/** Whether a brand with the setting shows this instance: another operator's only if its owner agrees. */
export function agreesTo(
  readModel: ReadModel,
  brand: string,
  { description: { owner } }: KnownInstance,
  setting: PublicSetting,
): boolean {
  return operatorOf(owner) === operatorOf(brand) || hasSetting(readModel, owner, setting);
}

/** Whether the public feed of the brand, if there is one, shows the instance. */
export function isPublic(readModel: ReadModel, brand: string, known: KnownInstance): boolean {
  return (
    readModel.visibleTo({ kind: 'brand', brand }, known) && agreesTo(readModel, brand, known, 'public_feed')
  );
}

/** Ended ones last, as many as wanted. */
export function activeFirst(known: Iterable<KnownInstance>, limit: number): KnownInstance[] {
  const found: KnownInstance[] = [];
  const ended: KnownInstance[] = [];
  for (const one of known) {
    (isTerminal(one.status) ? ended : found).push(one);
    if (found.length === limit) break;
  }
  return [...found, ...ended].slice(0, limit);
}
