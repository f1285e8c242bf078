import { answerOf, api, bodyOf } from './client.ts';
import type { paths } from './generated.ts';
import { allRows, cursorPages, type LoadPage } from './pages.ts';

type Answer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type Settlement = Answer<'/config/settlements', 'get'>[number];
export type Instance = Answer<'/config/instances/{instance_id}', 'get'>;
export type InstanceAt = Answer<'/config/jackpot_instances/{instance_id}/at', 'get'>;
export type InstanceHistory = Answer<'/config/jackpot_instances/{instance_id}/history', 'get'>;
export type SignificantEvent = Answer<'/config/reports/significant-events', 'get'>[number];
export type Delivery = Answer<'/config/deliveries', 'get'>[number];
export type AuditEntry = Answer<'/config/audit', 'get'>[number];
export type DailyRow = Answer<'/config/reports/daily', 'get'>[number];
export type Lane = Answer<'/config/lanes', 'get'>[number];
export type Host = Answer<'/config/hosts', 'get'>[number];
export type PlannedMove = Answer<'/config/lanes/{lane}/owner', 'get'>[number];
export type Failover = Answer<'/config/failovers', 'get'>[number];
export type Approval = Answer<'/config/approvals', 'get'>[number];
export type Subscription = Answer<'/config/webhooks/subscriptions', 'get'>[number];
export type CorsRule = Answer<'/config/cors/origins', 'get'>['cors_origin_list'][number];
export type Explanation = Answer<'/config/contributions/{contribution_id}', 'get'>;
export type Player = Answer<'/config/players/{player_id}', 'get'>;
export type Contribution = Player['contributions'][number];
export type Win = Player['wins'][number];
export type Payment = Player['payments'][number];

export type Administrator = Answer<'/config/users', 'get'>[number];
export type ServiceUser = Answer<'/config/service-users', 'get'>[number];
export type Operator = Answer<'/config/operators', 'get'>[number];
export type Wallet = Answer<'/config/operators/{operator_id}/brands/{brand_id}/wallet', 'get'>;
export type WebhookOrigin = Answer<'/config/webhook-origins', 'get'>[number];

export type Template = Answer<'/config/templates/{owner_id}/{template_id}', 'get'>;

export type Simulation = Answer<'/config/simulations/{simulation_id}', 'get'>;

export type WaitingState = 'withheld' | 'unknown' | 'dead' | 'pending';

export function waitingPayments(state: WaitingState): LoadPage<Settlement> {
  return cursorPages((page) =>
    answerOf(api.GET('/config/settlements', { params: { query: { ...page, state } } })),
  );
}

const maxWaiting = 2_000;
const largestPage = 500;

/** The payments of a brand that are not settled, in whatever state, the oldest first. */
export async function waitingOfBrand(brand_id: string) {
  let isComplete = true;
  const load = cursorPages((page) => {
    const query = { ...page, limit: largestPage, brand_id };
    return answerOf(api.GET('/config/settlements', { params: { query } }));
  });
  const { rows, isWhole } = await allRows(async (from) => {
    const page = await load(from);
    isComplete &&= page.incomplete === null;
    return page;
  }, maxWaiting);
  return { rows, isWhole: isWhole && isComplete };
}

interface InstanceFilters {
  readonly owner_id?: string;
  readonly status?: Instance['status'] | undefined;
  readonly name?: string | undefined;
}

export function instancesBy(filters: InstanceFilters): LoadPage<Instance> {
  return cursorPages((page) =>
    answerOf(api.GET('/config/instances', { params: { query: { ...page, ...filters } } })),
  );
}

const maxNamed = 1_000;

/** Names of jackpots by their ids, of the newest ones. */
export const jackpotNamesQuery = {
  queryKey: ['jackpot names'],
  queryFn: async (): Promise<ReadonlyMap<string, string>> => {
    const load = cursorPages((page) => {
      const query = { ...page, limit: largestPage, sort_field: 'created', sort_direction: -1 } as const;
      return answerOf(api.GET('/config/instances', { params: { query } }));
    });
    return new Map((await allRows(load, maxNamed)).rows.map(({ id, name }) => [id, name]));
  },
  staleTime: 5 * 60_000,
};

export function openApprovals(): Promise<readonly Approval[]> {
  return bodyOf(api.GET('/config/approvals', { params: { query: { state: 'open', limit: 500 } } }));
}

const maxOperators = 2_000;

/** The operators that the person sees, with their brands. */
export const operatorsQuery = {
  queryKey: ['operators'],
  queryFn: async (): Promise<readonly Operator[]> => {
    const load = cursorPages((page) => answerOf(api.GET('/config/operators', { params: { query: page } })));
    return (await allRows(load, maxOperators)).rows;
  },
};

interface TemplateFilters {
  readonly name?: string | undefined;
  readonly retired?: boolean | undefined;
}

export function templatesBy(filters: TemplateFilters): LoadPage<Template> {
  return cursorPages((page) =>
    answerOf(api.GET('/config/templates', { params: { query: { ...page, ...filters } } })),
  );
}

export function templateQuery(owner: string, id: string) {
  const params = { path: { owner_id: owner, template_id: id } };
  return {
    queryKey: ['template', owner, id],
    queryFn: () => bodyOf(api.GET('/config/templates/{owner_id}/{template_id}', { params })),
  };
}
