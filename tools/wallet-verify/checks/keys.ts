import { writeJson } from '../../../src/lib/json.ts';
import { serverAuthorization } from '../../../src/wallet/client/signature.ts';
import { accepted, ensureAmount } from '../kit/answers.ts';
import { type Check, CheckFailed, ensure } from '../kit/check.ts';
import type { Kit } from '../kit/kit.ts';

type Headers = Readonly<Record<string, string | null>>;

/** A debit with these headers must be answered 401 or 403, and move nothing. */
function rejects(id: string, rule: string, headers: (kit: Kit, body: Uint8Array) => Headers): Check {
  return {
    id,
    rule,
    advice:
      'Compare the bearer key and the HMAC before anything else, and answer 401 or 403. Any other 4xx counts as a refusal for good, so a wrong key would turn wins into refused ones.',
    async run(kit) {
      const before = await kit.balance();
      const debit = kit.transaction('Debit', 1n);
      const body = Buffer.from(writeJson(debit.fields), 'utf8');
      const exchange = await kit.execute(debit, headers(kit, body));
      if (exchange.status === null) throw new CheckFailed(exchange.fault ?? 'There was no answer.', exchange);
      ensure(
        exchange.status === 401 || exchange.status === 403,
        `The status is ${exchange.status}, not 401 or 403.`,
        exchange,
      );
      ensureAmount('The balance afterwards', await kit.balance(), before, exchange);
    },
  };
}

export const keyChecks: readonly Check[] = [
  rejects('keys.bearer-missing', 'A request without the bearer key is not executed.', () => ({
    authorization: null,
  })),
  rejects('keys.bearer-wrong', 'A request with another bearer key is not executed.', (kit) => ({
    authorization: `Bearer ${kit.target.bearerKey}x`,
  })),
  rejects('keys.signature-missing', 'A request without a signature is not executed.', () => ({
    'x-server-authorization': null,
  })),
  rejects('keys.signature-wrong', 'A signature under another secret is not accepted.', (kit, body) => ({
    'x-server-authorization': serverAuthorization(`${kit.target.hmacSecret}x`, body),
  })),
  rejects('keys.body-tampered', 'A signature of another body is not accepted.', (kit) => ({
    'x-server-authorization': serverAuthorization(kit.target.hmacSecret, Buffer.from('{}')),
  })),
  {
    id: 'keys.signature-raw-body',
    rule: 'The signature covers the body as it was sent, byte for byte.',
    advice: 'Compute the HMAC over the raw body, before it is parsed. Do not write the JSON again.',
    async run(kit) {
      const { operator, brand } = kit.target;
      const { token, currency } = kit.main;
      const fields = {
        operator_id: operator,
        brand_id: brand,
        player_token: token,
        currency,
        note: 'Zürich',
      };
      const body = ` ${JSON.stringify({ ...fields, source_id: 'potstream-verify' }, null, 3)}\n`;
      accepted(await kit.client.send({ call: 'W1', path: '/authenticate', body }));
    },
  },
];
