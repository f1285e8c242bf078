import { accepted, amountOf, kindOf, refused } from '../kit/answers.ts';
import { type Check, ensure } from '../kit/check.ts';

const tokenAdvice =
  'Answer 4xx with the error shape, but not 401 or 403: those say that the keys are wrong, and players would see an outage instead of "log in again".';

/** W1. */
export const playerChecks: readonly Check[] = [
  {
    id: 'w1.identity',
    rule: 'W1 names the player, operator and brand of the token.',
    advice: 'Answer with `id`, `operator_id` and `brand_id` (the brand alone or `operator:brand`).',
    async run(kit) {
      const exchange = await kit.authenticate();
      const { id, operator_id, brand_id } = accepted(exchange);
      ensure(id === kit.main.id, `\`id\` is ${JSON.stringify(id)}, not ${kit.main.id}.`, exchange);
      ensure(operator_id === kit.target.operator, '`operator_id` is not that of the request.', exchange);
      const bare = kit.target.brand.split(':')[1];
      ensure(
        brand_id === kit.target.brand || brand_id === bare,
        '`brand_id` is not that of the request.',
        exchange,
      );
    },
  },
  {
    id: 'w1.currency',
    rule: 'W1 names the currency of the session.',
    advice: 'Answer with the ISO code in `currency`. Contributions in another currency are refused.',
    async run(kit) {
      const exchange = await kit.authenticate();
      const { currency } = accepted(exchange);
      ensure(currency === kit.main.currency, `\`currency\` is not ${kit.main.currency}.`, exchange);
    },
  },
  {
    id: 'w1.balance',
    rule: 'W1 has the balance of the player, as a number or a decimal string.',
    advice: 'Answer with `balance` in units of the currency, for example 12.5. The kit reads balances there.',
    async run(kit) {
      amountOf(await kit.authenticate(), 'balance');
    },
  },
  {
    id: 'w1.fields',
    rule: 'The other members of the authenticated player have the documented types.',
    advice: 'Leave out what you do not know; `segments` is a list of strings, `max_bet` an amount.',
    async run(kit) {
      accepted(await kit.authenticate());
    },
  },
  {
    id: 'w1.repeated',
    rule: 'A token can be authenticated again and again.',
    advice: 'Tokens are sessions, not one-time codes. The service asks about once a minute.',
    async run(kit) {
      for (let count = 0; count < 3; count += 1) accepted(await kit.authenticate());
    },
  },
  {
    id: 'w1.source-null',
    rule: 'W1 without a source is answered.',
    advice: 'Take null in `source_id`: frontends open feeds before a game is known.',
    async run(kit) {
      accepted(await kit.authenticate(kit.main, { source_id: null }));
    },
  },
  {
    id: 'w1.token-unknown',
    rule: 'An unknown token is refused for good.',
    advice: tokenAdvice,
    async run(kit) {
      refused(await kit.authenticate(kit.main, { player_token: `verify-${kit.newId()}` }));
    },
  },
  {
    id: 'w1.token-expired',
    rule: 'An expired token is refused for good.',
    advice: tokenAdvice,
    needs: ({ expiredToken }) => (expiredToken === null ? 'expired_token' : null),
    async run(kit) {
      refused(await kit.authenticate(kit.main, { player_token: kit.target.expiredToken }));
    },
  },
  {
    id: 'w1.token-revoked',
    rule: 'A token that was taken back is refused for good.',
    advice: tokenAdvice,
    needs: ({ revokedToken }) => (revokedToken === null ? 'revoked_token' : null),
    async run(kit) {
      refused(await kit.authenticate(kit.main, { player_token: kit.target.revokedToken }));
    },
  },
  {
    id: 'w1.other-brand',
    rule: 'A token is worth nothing to another brand.',
    advice:
      'Refuse it, or answer with the brand to which the token belongs. Never repeat the brand of the request.',
    async run(kit) {
      const brand = `${kit.target.operator}:verify-${kit.newId().slice(0, 8)}`;
      const exchange = await kit.authenticate(kit.main, { brand_id: brand });
      if (kindOf(exchange) !== 'accepted') return refused(exchange);
      const { brand_id } = accepted(exchange);
      const isOther = brand_id !== brand && brand_id !== brand.split(':')[1];
      ensure(isOther, 'The answer says that the player is of a brand that is not there.', exchange);
    },
  },
  {
    id: 'w1.other-currency',
    rule: 'W1 never says a currency only because it was asked for.',
    advice: 'Refuse, or answer with the currency of the session.',
    async run(kit) {
      const exchange = await kit.authenticate(kit.main, { currency: kit.otherCurrency });
      if (kindOf(exchange) !== 'accepted') return refused(exchange);
      ensure(
        accepted(exchange).currency === kit.main.currency,
        'The currency is that of the request.',
        exchange,
      );
    },
  },
];
