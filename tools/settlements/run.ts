import { confirmed } from '../../src/cli/terminal/confirm.ts';
import type { CommandOutput } from '../../src/cli/terminal/output.ts';
import type { Settings } from '../../src/config/settings.ts';
import { type AdministratorClient, type LoginChoices, withAdministrator } from '../gateway-client/client.ts';
import { type AdminListChoices, adminListQuery, proposalText } from '../gateway-client/list.ts';
import { type ListedSettlement, settlementLines } from './text.ts';

export type Decision = 'release' | 'retry' | 'resolve';

export interface DecisionChoices extends LoginChoices {
  readonly reason: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const codes = { done: 0, failed: 1, waits: 3 } as const;
const sortFields: Readonly<Record<string, string>> = {
  opened: 'opened_timestamp',
  changed: 'changed_timestamp',
  amount: 'amount',
};

const warnings: Readonly<Record<Decision, string>> = {
  release: 'The wallet is asked to pay the win. Without a wallet, it is booked as paid.',
  retry: 'The wallet is asked again, with the same transaction id.',
  resolve: [
    'The service never asks the wallet about this payment again.',
    'Of a credit, be sure that the player has the money. While a repeat is on its way, the wallet may still pay an unknown',
    'credit: if you pay it in another way, the player has it twice. Ask the operator of the wallet to refuse this id first.',
    'Of a debit, be sure that the wallet took nothing, or gave it back.',
  ].join('\n'),
};

/** `potstream settlements list`: 1 where the payments of some lanes are missing. */
export function listSettlements(
  settings: Settings,
  choices: AdminListChoices,
  output: CommandOutput,
): Promise<number> {
  return withAdministrator(settings, choices, output.print, async (client) => {
    const { text, json, headers } = await client.get(
      `/config/settlements?${adminListQuery(choices, sortFields)}`,
    );
    output.write(choices.json === true ? `${text}\n` : settlementLines(json as readonly ListedSettlement[]));
    if (headers.get('x-incomplete') === null) return codes.done;
    output.print('Some lanes do not serve now: their payments are missing.');
    return codes.failed;
  });
}

/** `potstream settlements release`, `retry`, `resolve`. */
export function decideCommand(
  settings: Settings,
  decision: Decision,
  id: string,
  choices: DecisionChoices,
  output: CommandOutput,
): Promise<number> {
  return withAdministrator(settings, choices, output.print, async (client) => {
    if (choices.yes !== true) {
      output.print(warnings[decision]);
      if (!(await confirmed(`${decision} ${id}?`))) {
        output.print('Nothing was changed. Without a terminal, confirm with --yes.');
        return codes.failed;
      }
    }
    return decide(client, decision, id, choices, output);
  });
}

async function decide(
  client: AdministratorClient,
  decision: Decision,
  id: string,
  { reason, json }: DecisionChoices,
  output: CommandOutput,
): Promise<number> {
  const answer = await client.post(`/config/settlements/${id}/${decision}`, { reason });
  if (json === true && answer.text !== '') output.write(`${answer.text}\n`);
  const proposal = proposalText(answer);
  if (proposal !== null) {
    output.print(proposal);
    return codes.waits;
  }
  const { state } = (answer.json ?? {}) as Partial<ListedSettlement>;
  output.print(state === undefined ? `${id} was decided before.` : `${id} is ${state}.`);
  return codes.done;
}
