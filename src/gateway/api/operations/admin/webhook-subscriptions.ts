import * as z from 'zod';
import {
  authorize,
  mayEverSubscribe,
  maySubscribe,
  operatorAlone,
} from '../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal, ServicePrincipal } from '../../../../access/rights/principal.ts';
import type { WebhookSubscription } from '../../../../contracts/directory/directory.ts';
import { directoryKey } from '../../../../contracts/directory/directory-keys.ts';
import {
  brandPaths,
  isSubscribed,
  maxSubscriptions,
  newWebhookSubscription,
  subscriptionParams,
  subscriptionsQuery,
  subscriptionView,
  webhookSubscription,
  webhookSubscriptionChange,
} from '../../../../contracts/directory/webhook.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { uuidText } from '../../../../lib/uuid.ts';
import { parseEndpoint } from '../../../../network/endpoint.ts';
import { PublicError } from '../../../base/errors.ts';
import { readModelHas, updateEntry } from '../../directory/write-entries.ts';
import { defineOperation, type GatewayContext, type OperationRequest } from '../../operation/operation.ts';
import { operatorIn } from '../lists.ts';

type Caller = ServicePrincipal | AdministratorPrincipal;

/** A service's user with the right, or an administrator. */
const definedBy = {
  surface: 'admin',
  authentication: { kind: 'service_or_administrator', action: 'subscribe' },
} as const;

/** The subscriptions of an operator that the caller may see, the oldest first. */
export const listSubscriptionsOperation = defineOperation({
  ...definedBy,
  id: 'subscriptions.list',
  name: 'List webhook subscriptions',
  route: 'GET /v1/webhooks/subscriptions',
  input: { query: subscriptionsQuery },
  output: z.array(webhookSubscription),
  refusals: [403, 404],
  async handle({ principal, query }, context) {
    const operator = operatorNamed(context, principal, operatorIn(query));
    const found = context.directory.entries.webhookSubscriptions.get(operator)?.subscriptions ?? [];
    const own = found.filter(({ brands }) => maySubscribe(principal, operator, brands));
    return { status: 200, body: own.map((each) => subscriptionView(operator, each)) };
  },
});

/** Shows a subscription. */
export const readSubscriptionOperation = defineOperation({
  ...definedBy,
  id: 'subscriptions.read',
  name: 'Read a webhook subscription',
  route: 'GET /v1/webhooks/subscriptions/{id}',
  input: { params: subscriptionParams },
  output: webhookSubscription,
  refusals: [403, 404],
  async handle({ principal, params }, context) {
    const { operator, subscription } = findSubscription(context, principal, params.id);
    return { status: 200, body: subscriptionView(operator, subscription) };
  },
});

/**
 * Subscribes an address to events of the operator, or of some of its brands. Its origin must be registered,
 * as for callbacks (docs/rules/webhooks.md "Subscriptions").
 */
export const createSubscriptionOperation = defineOperation({
  ...definedBy,
  id: 'subscriptions.create',
  name: 'Create a webhook subscription',
  route: 'POST /v1/webhooks/subscriptions',
  input: { body: newWebhookSubscription },
  output: webhookSubscription,
  refusals: [403, 404, 409],
  status: 201,
  auditOwners({ principal, body }) {
    const { operator_id, brand_ids } = body as z.output<typeof newWebhookSubscription>;
    const operator = operator_id ?? operatorAlone(principal as unknown as Caller);
    return operator === undefined ? [] : (brandPaths(operator, brand_ids) ?? [operator]);
  },
  async handle({ principal, body }, context) {
    const operator = operatorNamed(context, principal, body.operator_id);
    const brands = brandPaths(operator, body.brand_ids);
    requireBrands(context, principal, operator, brands);
    requireAddress(context, operator, body.url);
    const subscription: WebhookSubscription = {
      id: uuidText(context.random.bytes(16)),
      brands,
      url: body.url,
      event_types: body.event_types,
      created_timestamp: context.clock.nowMs(),
    };
    await changeSubscriptions(context, operator, (current) => {
      if (isSubscribed(current, subscription)) throw new PublicError('already_exists');
      if (current.length >= maxSubscriptions)
        throw new PublicError('config_invalid', 'The operator has too many webhook subscriptions.');
      return [...current, subscription];
    });
    return { status: 201, body: subscriptionView(operator, subscription) };
  },
});

/** Changes the address or the events, for what is not delivered yet, too. */
export const changeSubscriptionOperation = defineOperation({
  ...definedBy,
  id: 'subscriptions.change',
  name: 'Change a webhook subscription',
  route: 'PATCH /v1/webhooks/subscriptions/{id}',
  input: { params: subscriptionParams, body: webhookSubscriptionChange },
  output: webhookSubscription,
  refusals: [403, 404, 409],
  auditOwners: ownersOfSubscription,
  async handle({ principal, params, body }, context) {
    const { operator, subscription } = findSubscription(context, principal, params.id);
    const { url = null, event_types } = body;
    if (url !== null) requireAddress(context, operator, url);
    let changed = subscription;
    await changeSubscriptions(context, operator, (current) => {
      const present = current.find(({ id }) => id === params.id);
      if (present === undefined) throw missing();
      changed = { ...present, ...(url && { url }), ...(event_types && { event_types }) };
      if (isSubscribed(current, changed)) throw new PublicError('already_exists');
      return current.map((each) => (each === present ? changed : each));
    });
    return { status: 200, body: subscriptionView(operator, changed) };
  },
});

/** Ends a subscription. Events of it that are not delivered are forgotten. */
export const removeSubscriptionOperation = defineOperation({
  ...definedBy,
  id: 'subscriptions.remove',
  name: 'Remove a webhook subscription',
  route: 'DELETE /v1/webhooks/subscriptions/{id}',
  input: { params: subscriptionParams },
  refusals: [403, 404],
  auditOwners: ownersOfSubscription,
  async handle({ principal, params }, context) {
    const { operator } = findSubscription(context, principal, params.id);
    await changeSubscriptions(context, operator, (current) => current.filter(({ id }) => id !== params.id));
    return { status: 204 };
  },
});

/** For the audit trail, where a foreign owner counts as the whole system. */
function ownersOfSubscription({ params }: OperationRequest, context: GatewayContext): readonly string[] {
  const found = context.directory.entries.webhookSubscription((params as { readonly id: string }).id);
  return found === null ? [] : (found.subscription.brands ?? [found.operator]);
}

/** @throws PublicError route_not_found where it is missing or foreign; forbidden, owner_disabled */
function findSubscription(context: GatewayContext, principal: Caller, id: string) {
  requireRight(principal);
  const found = context.directory.entries.webhookSubscription(id);
  if (found === null || !maySubscribe(principal, found.operator, found.subscription.brands)) throw missing();
  requireEnabled(context, principal, found.operator);
  return found;
}

function missing(): PublicError {
  return new PublicError('route_not_found', 'There is no such subscription.');
}

/** The operator that a request is about, which is also that of a service of some brands. */
function operatorNamed(context: GatewayContext, principal: Caller, named: string | null | undefined): string {
  requireRight(principal);
  const operator = named ?? operatorAlone(principal);
  if (operator === undefined) throw new PublicError('invalid_parameter', 'The operator is not named.');
  const decision = authorize(principal, 'subscribe', operator);
  const isForeign = decision === 'foreign' || (principal.kind !== 'service' && decision !== 'allowed');
  if (isForeign || context.directory.entries.enabled(operator) === null)
    throw new PublicError('operator_not_found');
  requireEnabled(context, principal, operator);
  return operator;
}

/** Whatever a service without the right names. The route asks for an administrator's role. */
function requireRight(principal: Caller): void {
  if (principal.kind === 'service' && !mayEverSubscribe(principal)) throw new PublicError('forbidden');
}

function requireEnabled({ directory }: GatewayContext, { kind }: Caller, operator: string): void {
  if (kind === 'service' && directory.entries.enabled(operator) !== true)
    throw new PublicError('owner_disabled');
}

/** @throws PublicError for brands that are missing, foreign or not the caller's */
function requireBrands(
  { directory }: GatewayContext,
  principal: Caller,
  operator: string,
  brands: readonly string[] | null,
): void {
  for (const owner of brands ?? [operator]) {
    if (operatorOf(owner) !== operator || directory.entries.enabled(owner) === null)
      throw new PublicError('brand_not_found');
    if (authorize(principal, 'subscribe', owner) !== 'allowed')
      throw new PublicError(owner === operator ? 'forbidden' : 'brand_forbidden');
  }
}

/** As of callbacks (docs/rules/callbacks.md "Addresses"). */
function requireAddress({ directory, development }: GatewayContext, operator: string, url: string): void {
  const endpoint = parseEndpoint(url, development);
  if (endpoint === null || !directory.allowsWebhook(operator, endpoint.origin))
    throw new PublicError('callback_address_not_allowed');
}

async function changeSubscriptions(
  context: GatewayContext,
  operator: string,
  change: (current: readonly WebhookSubscription[]) => readonly WebhookSubscription[],
): Promise<void> {
  const key = directoryKey.webhookSubscriptions(operator);
  const revision = await updateEntry(context, 'webhooksubscriptions', key, (entry) => ({
    subscriptions: [...change(entry?.subscriptions ?? [])],
  }));
  await readModelHas(context, revision);
}
