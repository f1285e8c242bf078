import { confirmed } from '../../src/cli/terminal/confirm.ts';
import type { CommandOutput } from '../../src/cli/terminal/output.ts';
import type { Settings } from '../../src/config/settings.ts';
import { type AdministratorAnswer, type LoginChoices, withAdministrator } from '../gateway-client/client.ts';
import { type AdminListChoices, adminListQuery, proposalText } from '../gateway-client/list.ts';
import { deliveryLines, type ListedDelivery, type ListedReplay, replayLines } from './text.ts';

interface Choices extends LoginChoices {
  readonly json?: boolean;
}

export interface RangeChoices extends Choices {
  readonly from: number;
  readonly to: number;
  readonly kind: 'callback' | 'event';
  readonly yes?: boolean;
}

export interface ResolveChoices extends Choices {
  readonly result: 'confirmed' | 'failed';
  readonly reason: string;
  readonly yes?: boolean;
}

const codes = { done: 0, failed: 1, waits: 3 } as const;
const sortFields: Readonly<Record<string, string>> = {
  created: 'created_timestamp',
  next: 'next_try_timestamp',
};

const warnings: Readonly<Record<ResolveChoices['result'], string>> = {
  confirmed: 'The money of a flush is booked as delivered. A callback is forgotten.',
  failed:
    'The money of a flush goes back to its pool and leaves again. Be sure that the receiver has not booked it. A callback is forgotten.',
};

/** `potstream deliveries list`. */
export function listDeliveries(
  settings: Settings,
  choices: AdminListChoices,
  { write, print }: CommandOutput,
): Promise<number> {
  return withAdministrator(settings, choices, print, async (client) => {
    const { text, json } = await client.get(`/config/deliveries?${adminListQuery(choices, sortFields)}`);
    write(choices.json === true ? `${text}\n` : deliveryLines(json as readonly ListedDelivery[]));
    return codes.done;
  });
}

/** `potstream deliveries replay`. */
export function replayCommand(
  settings: Settings,
  id: string,
  choices: Choices,
  { write, print }: CommandOutput,
): Promise<number> {
  return withAdministrator(settings, choices, print, async (client) => {
    const answer = await client.post(`/config/deliveries/${id}/replay`, {});
    if (choices.json === true) write(`${answer.text}\n`);
    return ended(answer, `${id} is sent again.`, print);
  });
}

/** `potstream deliveries replay-range`. */
export function replayRangeCommand(
  settings: Settings,
  { from, to, kind, yes, json, ...choices }: RangeChoices,
  { write, print }: CommandOutput,
): Promise<number> {
  return withAdministrator(settings, choices, print, async (client) => {
    const range = `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
    print(`Receivers get every ${kind} of ${range} again, with the same ids.`);
    if (yes !== true && !(await confirmed('Replay?'))) {
      print('Nothing was sent. Without a terminal, confirm with --yes.');
      return codes.failed;
    }
    const answer = await client.post('/config/deliveries/replay', {
      from,
      to,
      ...(kind === 'event' && { kind }),
    });
    if (json === true && answer.text !== '') write(`${answer.text}\n`);
    return ended(answer, 'It goes on in the background: potstream deliveries replays', print);
  });
}

/** `potstream deliveries replays`. */
export function replaysCommand(
  settings: Settings,
  choices: Choices,
  { write, print }: CommandOutput,
): Promise<number> {
  return withAdministrator(settings, choices, print, async (client) => {
    const { text, json } = await client.get('/config/deliveries/replays?sort_direction=-1&limit=500');
    write(choices.json === true ? `${text}\n` : replayLines(json as readonly ListedReplay[]));
    return codes.done;
  });
}

/** `potstream deliveries resolve`. */
export function resolveCommand(
  settings: Settings,
  id: string,
  { result, reason, yes, json, ...choices }: ResolveChoices,
  { write, print }: CommandOutput,
): Promise<number> {
  return withAdministrator(settings, choices, print, async (client) => {
    if (yes !== true) {
      print(warnings[result]);
      if (!(await confirmed(`resolve ${id} as ${result}?`))) {
        print('Nothing was changed. Without a terminal, confirm with --yes.');
        return codes.failed;
      }
    }
    const answer = await client.post(`/config/deliveries/${id}/resolve`, { result, reason });
    if (json === true && answer.text !== '') write(`${answer.text}\n`);
    return ended(answer, `${id} is resolved.`, print);
  });
}

/** Says what was done, or that it waits for a second administrator. */
function ended(answer: AdministratorAnswer, done: string, print: (line: string) => void): number {
  const proposal = proposalText(answer);
  print(proposal ?? done);
  return proposal === null ? codes.done : codes.waits;
}
