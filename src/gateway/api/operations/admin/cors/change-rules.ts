import { type CorsRule, maxCorsRules } from '../../../../../contracts/directory/cors.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { fitTogether } from '../../../../../network/origin-rules.ts';
import { PublicError } from '../../../../base/errors.ts';
import { readModelHas, updateEntry } from '../../../directory/write-entries.ts';
import type { GatewayContext } from '../../../operation/operation.ts';

/** Writes another list of rules where `change` gives one; `operator` undefined: the system's. @throws PublicError cors_limit */
export async function changeCorsRules(
  context: GatewayContext,
  operator: string | undefined,
  change: (current: readonly CorsRule[]) => readonly CorsRule[],
): Promise<{ readonly rules: readonly CorsRule[]; readonly before: number }> {
  let rules: readonly CorsRule[] = [];
  let before = 0;
  const revision = await updateEntry(context, 'cors', directoryKey.corsRules(operator), (entry) => {
    const current = entry?.rules ?? [];
    before = current.length;
    rules = change(current);
    if (sameRules(rules, current)) return null;
    const of = operator === undefined ? 'system' : 'operator';
    if (rules.length > maxCorsRules[of] || !fitTogether(rules, of)) throw new PublicError('cors_limit');
    return { rules: [...rules] };
  });
  await readModelHas(context, revision);
  return { rules, before };
}

function sameRules(left: readonly CorsRule[], right: readonly CorsRule[]): boolean {
  return (
    left.length === right.length &&
    left.every((rule, index) => {
      const other = right[index];
      return rule.pattern === other?.pattern && rule.match_mode === other.match_mode;
    })
  );
}
