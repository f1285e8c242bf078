import { confirmed } from '../../src/cli/terminal/confirm.ts';
import type { CommandOutput } from '../../src/cli/terminal/output.ts';
import type { Settings } from '../../src/config/settings.ts';
import { type LoginChoices, withAdministrator } from '../gateway-client/client.ts';
import { proposalText } from '../gateway-client/list.ts';

export interface ForgetChoices extends LoginChoices {
  readonly brand: string;
  readonly player: string;
  readonly reason: string;
  readonly approve?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const codes = { done: 0, failed: 1, waits: 3 } as const;
const warning = 'Nobody can ask the books for this player again, and it cannot be undone.';

/** `potstream reporting forget`: 3 where it waits for a second administrator. */
export function forgetCommand(
  settings: Settings,
  { brand, player, reason, approve, yes, json, ...login }: ForgetChoices,
  output: CommandOutput,
): Promise<number> {
  return withAdministrator(settings, login, output.print, async (client) => {
    if (yes !== true) {
      output.print(warning);
      if (!(await confirmed(`Forget a player of ${brand}?`))) {
        output.print('Nothing was changed. Without a terminal, confirm with --yes.');
        return codes.failed;
      }
    }
    // Who approves sends the same bytes.
    const body = { brand_id: brand, player_id: player, reason };
    const path =
      approve === undefined
        ? '/config/forgotten-players'
        : `/config/approvals/${encodeURIComponent(approve)}/approve`;
    const answer = await client.post(path, body);
    if (json === true) output.write(`${answer.text}\n`);
    const proposal = proposalText(answer);
    if (proposal !== null) {
      output.print(proposal);
      return codes.waits;
    }
    output.print(`The books will have a pseudonym in place of the player of ${brand}, within seconds.`);
    return codes.done;
  });
}
