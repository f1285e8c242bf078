import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyServerAuthorization, verifyWebhook, WebhookVerificationError } from '../../sdk/src/index.ts';
import { serverAuthorization } from '../../src/wallet/client/signature.ts';

const body =
  '{"event_id":"e-1","event_type":"ContributionResult","timestamp":1700000000123,"operator_id":"demo",' +
  '"results":[{"win_amount":12345678901.12345678,"tickets_awarded":3,"metadata":{"own":1.5}}]}';

describe('X-Server-Authorization', () => {
  const secret = 'a secret of an opérator';
  const bytes = Buffer.from(body, 'utf8');

  it('is accepted as Potstream writes it', () => {
    const header = serverAuthorization(secret, bytes);
    expect(verifyServerAuthorization(body, header, secret)).toBe(true);
    expect(verifyServerAuthorization(bytes, header, secret)).toBe(true);
    const odd = Buffer.from([0xff, 0x00, 0xfe]);
    expect(verifyServerAuthorization(odd, serverAuthorization(secret, odd), secret)).toBe(true);
  });

  it.each<[string, string, string | null | undefined, string]>([
    ['another body', `${body} `, serverAuthorization(secret, bytes), secret],
    ['another secret', body, serverAuthorization('another secret', bytes), secret],
    ['upper case', body, serverAuthorization(secret, bytes).toUpperCase(), secret],
    ['a part', body, serverAuthorization(secret, bytes).slice(0, 32), secret],
    ['more', body, `${serverAuthorization(secret, bytes)}00`, secret],
    ['an empty header', body, '', secret],
    ['no header', body, undefined, secret],
    ['no header at all', body, null, secret],
  ])('is refused with %s', (_, rawBody, header, key) => {
    expect(verifyServerAuthorization(rawBody, header, key)).toBe(false);
  });
});

describe.each([
  ['a secret as text', 'a secret of an opérator', () => Buffer.from('a secret of an opérator', 'utf8')],
  [
    'a secret in Base64',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    () => Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'),
  ],
])('Standard Webhooks with %s', (_, secret, key) => {
  const signed = (text = body, atMs = Date.now(), id = 'msg-1') => ({
    'Webhook-Id': id,
    'Webhook-Timestamp': String(Math.floor(atMs / 1000)),
    'Webhook-Signature': new Webhook(key(), { format: 'raw' }).sign(id, new Date(atMs), text),
  });
  const refused = (headers: Record<string, string | undefined>, text = body) =>
    expect(() => verifyWebhook(text, headers, secret)).toThrow(WebhookVerificationError);

  it('gives the content, with exact amounts', () => {
    const expected = {
      event_id: 'e-1',
      event_type: 'ContributionResult',
      timestamp: 1700000000123,
      operator_id: 'demo',
      results: [{ win_amount: '12345678901.12345678', tickets_awarded: 3, metadata: { own: 1.5 } }],
    };
    expect(verifyWebhook(body, signed(), secret)).toEqual(expected);
    expect(verifyWebhook(Buffer.from(body), new Headers(signed()), secret)).toEqual(expected);
  });

  it('refuses what is not signed, changed, or old', () => {
    const headers = signed();
    const minuteMs = 60_000;
    refused({});
    refused({ ...headers, 'Webhook-Signature': undefined });
    refused({ ...headers, 'Webhook-Id': 'msg-2' });
    refused({ ...headers, 'Webhook-Signature': 'v1,' });
    refused({ ...headers, 'Webhook-Signature': 'v2,AAAA' });
    refused(headers, body.replace('12345678901', '92345678901'));
    refused(signed(body, Date.now() - 6 * minuteMs));
    refused(signed(body, Date.now() + 6 * minuteMs));
    expect(() => verifyWebhook(body, headers, `${secret.slice(0, -4)}AAAA`)).toThrow(
      WebhookVerificationError,
    );
  });

  it('accepts one of several signatures, as while a secret is replaced', () => {
    const headers = signed();
    const both = { ...headers, 'Webhook-Signature': `v1,AAAA ${headers['Webhook-Signature']}` };
    expect(verifyWebhook(body, both, secret)).toMatchObject({ event_id: 'e-1' });
  });
});
