import { answerOf, api } from '../../api/client.ts';
import type { Subscription } from '../../api/rows.ts';
import { Decide } from '../../parts/decide.tsx';
import { Field, textOf } from '../../parts/fields.tsx';
import { Name } from '../../parts/values.tsx';
import { whyNot } from '../../session/rights.ts';
import { useMe } from '../../session/session.tsx';

export type Change =
  | { readonly kind: 'subscribe' | 'allow pages'; readonly operator: string }
  | {
      readonly kind: 'change subscription' | 'remove subscription';
      readonly subscription: Subscription;
    }
  | { readonly kind: 'remove page'; readonly operator: string; readonly pattern: string };

type EventType = Subscription['event_types'][number];

const events: Readonly<Record<EventType, string>> = {
  WinEvent: 'wins, those of a community too',
  RaffleWinEvent: 'wins of raffles',
  InstanceStatusEvent: 'changes of a status',
  PayoutEvent: 'payments that wait or are settled',
  CommunityPayoutErrorEvent: 'payments to a community that failed',
  OptInEvent: 'opt-ins by hand',
  MustDropEvent: 'pots that must drop soon',
};
const eventTypes = Object.keys(events) as readonly EventType[];

/** What a change of webhooks does, before it does. */
export function WebhookDecision({ close, ...change }: Change & { readonly close: () => void }) {
  const forbidden = whyNot(useMe(), 'subscribe');
  const common = { forbidden, stale: ['webhooks'], close, reason: 'none' } as const;
  switch (change.kind) {
    case 'subscribe':
      return (
        <Decide
          {...common}
          title="Subscribe an address"
          facts={<Fact name="Operator">{change.operator}</Fact>}
          consequence="It is sent the events from now on, signed, in the order of each jackpot. Its origin must be registered."
          fields={<SubscriptionFields />}
          send={(fields) => {
            const body = { ...subscriptionOf(fields), operator_id: change.operator };
            return answerOf(api.POST('/config/webhooks/subscriptions', { body }));
          }}
        />
      );
    case 'change subscription': {
      const { subscription } = change;
      const params = { path: { id: subscription.id } };
      return (
        <Decide
          {...common}
          title="Change the subscription"
          facts={<Fact name="Address">{subscription.url}</Fact>}
          consequence="Events that are not delivered yet go to the new address, too."
          fields={<SubscriptionFields of={subscription} />}
          send={(fields) => {
            const body = subscriptionOf(fields);
            return answerOf(api.PATCH('/config/webhooks/subscriptions/{id}', { params, body }));
          }}
        />
      );
    }
    case 'remove subscription': {
      const { subscription } = change;
      const params = { path: { id: subscription.id } };
      return (
        <Decide
          {...common}
          title="Remove the subscription"
          facts={<Fact name="Address">{subscription.url}</Fact>}
          consequence="It is sent no more events."
          danger="Its events that are not delivered yet are forgotten."
          send={() => answerOf<unknown>(api.DELETE('/config/webhooks/subscriptions/{id}', { params }))}
        />
      );
    }
    case 'allow pages':
      return (
        <Decide
          {...common}
          title="Allow pages"
          facts={<Fact name="Operator">{change.operator}</Fact>}
          consequence="Pages of it read answers about the operator; they still need a token."
          fields={
            <>
              <Field label="Origin or pattern" name="pattern" required inputMode="url" dir="ltr" />
              <label>
                Compared as
                <select name="mode" defaultValue="exact">
                  <option value="exact">this origin (exact)</option>
                  <option value="subdomain">this host and those below it (subdomain)</option>
                  <option value="regex">an expression (regex)</option>
                </select>
              </label>
            </>
          }
          send={(fields) => {
            const rule = { pattern: textOf(fields, 'pattern') ?? '', match_mode: String(fields.get('mode')) };
            const body = { operator_id: change.operator, cors_origin_list: [rule] };
            return answerOf(api.PUT('/config/cors/origins', { body }));
          }}
        />
      );
    case 'remove page': {
      const body = { operator_id: change.operator, cors_origin_list: [change.pattern] };
      return (
        <Decide
          {...common}
          title="Remove the rule"
          facts={<Fact name="Origin">{change.pattern}</Fact>}
          consequence="Pages that no other rule allows read no more answers."
          send={() => answerOf(api.DELETE('/config/cors/origins', { body }))}
        />
      );
    }
  }
}

function SubscriptionFields({ of }: { readonly of?: Subscription }) {
  return (
    <>
      <Field label="Address" name="url" required defaultValue={of?.url} inputMode="url" dir="ltr" />
      <fieldset>
        <legend>Events</legend>
        {eventTypes.map((type) => (
          <label key={type} className="check">
            <input
              type="checkbox"
              name="event_types"
              value={type}
              defaultChecked={of?.event_types.includes(type) ?? true}
            />{' '}
            {events[type]} ({type})
          </label>
        ))}
      </fieldset>
    </>
  );
}

function subscriptionOf(fields: FormData) {
  const chosen = fields.getAll('event_types');
  const event_types = eventTypes.filter((type) => chosen.includes(type));
  return { url: textOf(fields, 'url') ?? '', event_types };
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <dl className="facts">
      <dt>{name}</dt>
      <dd>
        <Name>{children}</Name>
      </dd>
    </dl>
  );
}
