import { readDirectoryChange } from '../../../contracts/directory/directory.ts';
import { directoryKey } from '../../../contracts/directory/directory-keys.ts';
import { operatorOf } from '../../../contracts/fields/identifiers.ts';
import { type FourEyesRule, noRule, strictRule } from '../../../directory/four-eyes/rule.ts';
import type { TableEntry } from '../../../ports.ts';
import { stored } from '../../base/stored.ts';
import type { GatewayContext } from '../operation/operation.ts';

/**
 * The rule of the owner's operator, read from the directory itself: the read model may lag behind the change
 * that has just turned the rule on. A missing or damaged entry has the strictest one.
 */
export async function fourEyesRule({ tables }: GatewayContext, owner: string): Promise<FourEyesRule> {
  const entry = await stored(() => tables.directory.get(directoryKey.operator(operatorOf(owner))));
  return entry === null ? strictRule : ruleOf(entry);
}

function ruleOf({ key, value, revision }: TableEntry): FourEyesRule {
  try {
    const change = readDirectoryChange(key, value, revision);
    if (change?.kind !== 'set' || change.entry.kind !== 'operator') return strictRule;
    return change.entry.four_eyes ?? noRule;
  } catch {
    return strictRule;
  }
}
