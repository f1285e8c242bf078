import { answerOf, api, bodyOf } from './client.ts';
import type { paths } from './generated.ts';
import { cursorPages, type LoadPage } from './pages.ts';

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
export type WebhookOrigin = Answer<'/config/webhook-origins', 'get'>[number];
export type CorsRule = Answer<'/config/cors/origins', 'get'>['cors_origin_list'][number];
export type Explanation = Answer<'/config/contributions/{contribution_id}', 'get'>;
export type Player = Answer<'/config/players/{player_id}', 'get'>;
export type Contribution = Player['contributions'][number];
export type Win = Player['wins'][number];
export type Payment = Player['payments'][number];

export type WaitingState = 'withheld' | 'unknown' | 'dead' | 'pending';

export function waitingPayments(state: WaitingState): LoadPage<Settlement> {
  return cursorPages((page) =>
    answerOf(api.GET('/config/settlements', { params: { query: { ...page, state } } })),
  );
}

interface InstanceFilters {
  readonly status?: Instance['status'] | undefined;
  readonly name?: string | undefined;
}

export function instancesBy(filters: InstanceFilters): LoadPage<Instance> {
  return cursorPages((page) =>
    answerOf(api.GET('/config/instances', { params: { query: { ...page, ...filters } } })),
  );
}

export function openApprovals(): Promise<readonly Approval[]> {
  return bodyOf(api.GET('/config/approvals', { params: { query: { state: 'open', limit: 500 } } }));
}
