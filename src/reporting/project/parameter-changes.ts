import { toHex } from '../../lib/bytes.ts';
import { canonicalJson, type Json } from '../../lib/canonical-json.ts';
import { sha256 } from '../../lib/hashes.ts';
import type { LoggedCommand } from '../../messages/commands.ts';
import type { BookedMessage } from '../base/booked-message.ts';
import type { RowOf } from '../base/tables.ts';
import type { LaneFacts } from './facts.ts';
import { reasonOf, userOf } from './payments.ts';
import type { RowPlaces } from './row-places.ts';

/** Commands by which administrators change what an instance is. */
const changing = new Set([
  'CreateInstance',
  'SetParameters',
  'SetDetails',
  'SetLinks',
  'SetBrandAllowed',
  'SwitchModel',
  'CancelSwitch',
] as const satisfies readonly LoggedCommand['kind'][]);

type ChangingKind = typeof changing extends ReadonlySet<infer K> ? K : never;
type Changing = Extract<LoggedCommand, { readonly kind: ChangingKind }>;

/** A row for each change that was made; with the configuration, where that is what was set. */
export function parameterChangeRows(
  message: BookedMessage,
  places: RowPlaces,
  facts: LaneFacts,
): readonly RowOf<'parameter_changes'>[] {
  return message.batch.commands.flatMap((command, index) => {
    const outcome = message.outcome.outcomes[index];
    if (!isChanging(command) || outcome?.kind !== 'Done') return [];
    const configuration = 'configuration' in command ? (command.configuration as unknown as Json) : null;
    return [
      {
        ...places.next(index),
        operator: facts.of(message, command.instance).operator,
        instance: command.instance,
        kind: command.kind,
        version: outcome.version,
        changed_by: userOf(command),
        reason: reasonOf(command),
        configuration_hash: configuration === null ? null : toHex(sha256(canonicalJson(configuration))),
        configuration,
      },
    ];
  });
}

function isChanging(command: LoggedCommand): command is Changing {
  return changing.has(command.kind as ChangingKind);
}
