import * as z from 'zod';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import {
  type ShownConfiguration,
  writtenConfiguration,
} from '../../../../../contracts/configuration/document-view.ts';
import { ownerField } from '../../../../../contracts/fields/identifier-fields.ts';
import { isOwnId, isWithin } from '../../../../../contracts/fields/identifiers.ts';
import {
  cursorQuery,
  type ListQuery,
  limitFromZero,
  matchesName,
  nameFilter,
} from '../../../../../contracts/fields/lists.ts';
import { instanceShape, instanceStatuses } from '../../../../../contracts/jackpots/instance.ts';
import { instanceText, instanceView } from '../../../../../contracts/jackpots/instance-view.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import { allOf, type ListScope, named } from '../../../../../directory/sorted-page.ts';
import { latin1Of } from '../../../../../lib/bytes.ts';
import { writeJson } from '../../../../../lib/json.ts';
import { inSeparateTurns } from '../../../../../lib/turns.ts';
import { decodeConfiguration } from '../../../../../messages/codec/codec.ts';
import type { InstanceDescription } from '../../../../../messages/records.ts';
import { PublicError } from '../../../../base/errors.ts';
import { writeTexts } from '../../../../base/write-list.ts';
import { defineRead, type GatewayContext } from '../../../operation/operation.ts';
import { incompleteHeaders, type Listed, listed, listedItems, listHeaders, listScope } from '../../lists.ts';
import { type InstancesAnswer, instanceAnswers } from '../shared/lane-answers.ts';
import { requireInstance, requireOwner } from '../shared/owner-access.ts';

/** The number of instances that one question to a lane asks for: some milliseconds of its time. */
const instancesOfQuestion = 50;
const questionsAtOnce = 2;
const maxIds = 500;

/**
 * A19: full instances, in pages, filtered by owner, status, part of a name, or at most 500 ids. Those of
 * lanes that do not serve are shown as last known (X-Incomplete).
 */
export const listInstancesOperation = defineRead('read', {
  id: 'A19',
  name: 'List instances',
  route: 'GET /config/instances',
  input: {
    query: cursorQuery(['id', 'name', 'owner_id', 'status', 'created', 'last_updated'], {
      owner_id: ownerField.optional(),
      status: z.enum(instanceStatuses).optional(),
      name: nameFilter,
      ids: z.string().max(40_000).optional(),
    }).extend({ limit: limitFromZero }),
  },
  output: z.array(instanceShape),
  refusals: [404],
  answerHeaders: ['X-Incomplete', ...listHeaders],
  async handle({ principal, query }, context) {
    const ids = query.ids === undefined ? null : readIds(query.ids);
    if (query.owner_id !== undefined) requireOwner(context, principal, 'read', query.owner_id);
    for (const id of ids ?? []) requireInstance(context, principal, 'read', id);
    const { page, headers } = await pageOfInstances(context, principal, query, ids);
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
    return { status: 200, headers: [...incompleteHeaders(context), ...headers], text };
  },
});

/**
 * Writes a lane's instances as its actor has them now, each slice while the lane gathers the next one. Other
 * work gets turns between two slices of the page.
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
    // The lane's actor is of an older release.
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

interface Query extends ListQuery {
  readonly cursor?: string | undefined;
  readonly sort_field?: keyof typeof sortValues | undefined;
  readonly owner_id?: string | undefined;
  readonly status?: string | undefined;
  readonly name?: string | undefined;
}

const sortValues = {
  id: ({ description }: KnownInstance) => description.instance,
  name: ({ description }: KnownInstance) => description.name,
  owner_id: ({ description }: KnownInstance) => description.owner,
  status: ({ status }: KnownInstance) => status,
  created: ({ description }: KnownInstance) => description.createdMs,
  last_updated: ({ latest }: KnownInstance) => latest.lastUpdatedMs,
};

/** The instances of a page of A19; `ids` null: of all. */
async function pageOfInstances(
  { directory: { lanes } }: GatewayContext,
  principal: AdministratorPrincipal,
  query: Query,
  ids: ReadonlySet<string> | null,
): Promise<Listed<KnownInstance>> {
  const { instances } = lanes;
  const { status, owner_id, name } = query;
  const scope = listScope(principal, owner_id, ({ description }: KnownInstance) => description.owner);
  const hasStatus = (known: KnownInstance) => known.status === status;
  const matches = allOf(scope.matches, status === undefined ? null : hasStatus);
  if (ids === null) return listed(instances, 'id', query, { ...scope, matches, text: named(name) });
  const wanted = [...ids].flatMap((id) => instances.get(id) ?? []);
  return listedItems(
    wanted.filter(
      (known) =>
        scopeHas(scope, known) &&
        (matches === null || matches(known)) &&
        matchesName(known.description.name, name),
    ),
    'id',
    query,
    ({ description }) => description.instance,
    sortValues,
  );
}

/** A scope's own filter does not repeat that its group is asked for. */
function scopeHas({ group }: ListScope<KnownInstance>, { description }: KnownInstance): boolean {
  return group === null || isWithin(description.owner, group);
}

/** Bytes of configurations, whose texts take some times as much. */
const maxBytes = 8 * 1024 * 1024;

/** Configurations with their values as JSON, written once for all instances that share them. */
export class WrittenConfigurations {
  readonly #maxBytes: number;
  #byContent = new Map<string, ShownConfiguration>();
  #bytes = 0;
  /** How many were written so far. */
  written = 0;

  constructor(limit = maxBytes) {
    this.#maxBytes = limit;
  }

  /** `bytes`: as in `packed_instances`. @throws LogError */
  of(bytes: Uint8Array): ShownConfiguration {
    const content = latin1Of(bytes);
    const known = this.#byContent.get(content);
    if (known !== undefined) return known;
    const configuration = writtenConfiguration(decodeConfiguration(bytes));
    this.written += 1;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) {
      this.#byContent = new Map();
      this.#bytes = bytes.length;
    }
    this.#byContent.set(content, configuration);
    return configuration;
  }
}

/** Shared by all pages of the process. */
const writtenConfigurations = new WrittenConfigurations();
