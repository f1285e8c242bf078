import * as z from 'zod';
import { ownerField } from '../../../../../contracts/fields/identifier-fields.ts';
import { isOwnId } from '../../../../../contracts/fields/identifiers.ts';
import { limitFromZero, listQuery, nameFilter } from '../../../../../contracts/fields/lists.ts';
import { instanceShape, instanceStatuses } from '../../../../../contracts/jackpots/instance.ts';
import { instanceText, instanceView } from '../../../../../contracts/jackpots/instance-view.ts';
import { writeJson } from '../../../../../lib/json.ts';
import { inSeparateTurns } from '../../../../../lib/turns.ts';
import type { InstanceDescription } from '../../../../../messages/records.ts';
import { PublicError } from '../../../../base/errors.ts';
import { writeTexts } from '../../../../base/write-list.ts';
import { defineOperation, type GatewayContext } from '../../../operation/operation.ts';
import { incompleteHeaders } from '../../incomplete.ts';
import { type InstancesAnswer, instanceAnswers } from '../shared/lane-answers.ts';
import { requireInstance, requireOwner } from '../shared/owner-access.ts';
import { pageOfInstances } from './page-of-instances.ts';
import { WrittenConfigurations } from './written-configurations.ts';

/** The number of instances that one question to a lane asks for: some milliseconds of its time. */
const instancesOfQuestion = 50;
const questionsAtOnce = 2;
const maxIds = 500;

/** Of all pages of the process. */
const writtenConfigurations = new WrittenConfigurations();

/**
 * A19: full instances, in pages, filtered by owner, status, part of a name, or at most 500 ids. Those of lanes that do
 * not serve are shown as last known (X-Incomplete).
 */
export const listInstancesOperation = defineOperation({
  id: 'A19',
  name: 'List instances',
  method: 'GET',
  path: '/config/instances',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    query: listQuery(['id', 'name', 'owner_id', 'status', 'created', 'last_updated'], {
      owner_id: ownerField.optional(),
      status: z.enum(instanceStatuses).optional(),
      name: nameFilter,
      ids: z.string().max(40_000).optional(),
    }).extend({ limit: limitFromZero }),
  },
  output: z.array(instanceShape),
  refusals: [404],
  answerHeaders: ['X-Incomplete'],
  async handle({ principal, query }, context) {
    const ids = query.ids === undefined ? null : readIds(query.ids);
    if (query.owner_id !== undefined) requireOwner(context, principal, 'read', query.owner_id);
    for (const id of ids ?? []) requireInstance(context, principal, 'read', id);
    const page = await pageOfInstances(context, principal, query, ids);
    const idsOfLane = new Map<number, string[]>();
    const { conditions } = context.directory;
    for (const { lane, description } of page) {
      // Shown as it was last known.
      if (conditions.fault(lane) !== null) continue;
      const list = idsOfLane.get(lane) ?? [];
      idsOfLane.set(lane, list);
      list.push(description.instance);
    }
    const texts = new Map<string, string>();
    const inTurn = inSeparateTurns();
    await Promise.all([...idsOfLane].map(([lane, list]) => writeFresh(context, lane, list, inTurn, texts)));
    const text = await writeTexts(
      page,
      ({ description }) => texts.get(description.instance) ?? textOf(description),
    );
    return { status: 200, headers: incompleteHeaders(context), text };
  },
});

/**
 * Writes the instances of a lane as its actor has them now, each slice while the lane gathers the next one. Between two slices
 * of the page, whichever lanes they are of, others are answered.
 */
async function writeFresh(
  context: GatewayContext,
  lane: number,
  ids: readonly string[],
  inTurn: (write: () => void) => Promise<void>,
  texts: Map<string, string>,
): Promise<void> {
  let next = 0;
  const ask = async (): Promise<void> => {
    while (next < ids.length) {
      const from = next;
      next += instancesOfQuestion;
      const query = { kind: 'instances', ids: ids.slice(from, next), packed: true } as const;
      for await (const answer of instanceAnswers(context, lane, query))
        await inTurn(() => writeAnswer(answer, texts));
    }
  };
  await Promise.all(Array.from({ length: questionsAtOnce }, ask));
}

function writeAnswer(answer: InstancesAnswer, texts: Map<string, string>): void {
  if (answer.kind === 'packed_instances') {
    const configurations = answer.configurations.map((bytes) => writtenConfigurations.of(bytes));
    for (const instance of answer.instances) {
      const configuration = configurations[instance.configuration];
      if (configuration !== undefined) texts.set(instance.instance, instanceText(instance, configuration));
    }
  } else {
    // Of a lane whose actor is of an older release.
    for (const instance of answer.instances) texts.set(instance.instance, textOf(instance));
  }
}

function textOf(description: InstanceDescription): string {
  return writeJson(instanceView(description));
}

function readIds(text: string): ReadonlySet<string> {
  const ids = text.split(',').filter((id) => id !== '');
  if (ids.length > maxIds) throw new PublicError('invalid_parameter');
  if (!ids.every(isOwnId)) throw new PublicError('invalid_identifier');
  return new Set(ids);
}
