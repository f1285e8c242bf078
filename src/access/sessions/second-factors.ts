import { Secret, TOTP } from 'otpauth';
import * as z from 'zod';
import type { Clock, Random } from '../../ports.ts';
import type { AdministratorAccount, SecondFactorEntry } from '../accounts/account-entries.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Sealer } from '../keys/seal.ts';
import type { AdministratorPrincipal, FactorProof } from '../rights/principal.ts';

/** Second factors of administrators (TOTP, RFC 6238), sealed in KV ACCOUNTS. docs/decisions/0496 */
export interface SecondFactors {
  has(username: string): boolean;
  /** When the token's proof ends; null: it has none of the account's present factor. */
  validUntilMs(principal: AdministratorPrincipal): number | null;
  /** Takes a code once, over all gateways, and counts wrong ones. @throws LogError, AccountContention */
  take(username: string, code: string): Promise<FactorAnswer>;
  /** A secret that nothing is stored of: the enrolment is in its id, which only holders of the key open. */
  begin(account: AdministratorAccount): StartedEnrolment;
  /** null: it is not of this account as it is now. */
  open(account: AdministratorAccount, enrolmentId: string): Enrolment | null;
  /** The time step of the code; null: it is wrong, or the enrolment too old. */
  confirm(enrolment: Enrolment, code: string): number | null;
  /** False: the account has another factor meanwhile. @throws LogError */
  enrol(username: string, enrolment: Enrolment, usedStep: number): Promise<boolean>;
  /** Removes a factor that is no newer. @throws LogError */
  remove(username: string, untilMs: number): Promise<void>;
}

type FactorAnswer =
  | { readonly kind: 'right'; readonly proof: FactorProof }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'blocked'; readonly seconds: number };

interface StartedEnrolment {
  readonly enrolmentId: string;
  /** Base 32. */
  readonly secret: string;
  /** `otpauth://totp/…` */
  readonly uri: string;
}

const enrolmentShape = z.object({
  id: z.string(),
  secret: z.string(),
  /** The account's: a new password or a reset ends the enrolment. */
  generation: z.string(),
  /** The factor that it replaces. */
  over: z.string().nullable(),
  until: z.int(),
});
type Enrolment = z.output<typeof enrolmentShape>;

/** How long a code counts, and an enrolment waits for its first code. */
export const factorLifetimeMs = 10 * 60_000;
/** For an account, over all gateways and addresses. A guess is right three times in a million. */
const maxWrongAnHour = 10;
const hourMs = 3_600_000;
/** Authenticator apps know no other parameters reliably. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const secretBytes = 20;
const idBytes = 9;
const issuer = 'Potstream';

interface FactorPorts {
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Random;
}

/** Second factors in the account store (docs/rules/second-factor.md "Showing it"). */
export function createSecondFactors(
  accounts: AccountStore,
  { sealer, clock, random }: FactorPorts,
): SecondFactors {
  /** null: sealed under a key that is lost. */
  function opened(sealed: string, label: string): string | null {
    try {
      return sealer.open(sealed, label);
    } catch {
      return null;
    }
  }

  return {
    has: (username) => accounts.find('factor', username) !== undefined,
    validUntilMs({ subject, secondFactor: proof }) {
      if (proof === undefined || accounts.find('factor', subject)?.id !== proof.id) return null;
      return proof.atMs + factorLifetimeMs;
    },
    async take(username, code) {
      let answer: FactorAnswer = { kind: 'wrong' };
      // The answer is that of the attempt that was stored: of two at once one looks again.
      await accounts.update('factor', username, (factor) => {
        const nowMs = clock.nowMs();
        const wrong = wrongAt(factor, nowMs);
        if (wrong.count >= maxWrongAnHour) {
          answer = { kind: 'blocked', seconds: Math.ceil((wrong.since + hourMs - nowMs) / 1000) };
          return null;
        }
        const secret = opened(factor.sealed, labelOf(username, factor.id));
        const step = secret === null ? null : stepOf(secret, code, nowMs);
        if (step === null || step <= factor.used_step) {
          answer = { kind: 'wrong' };
          return { ...factor, wrong: { ...wrong, count: wrong.count + 1 } };
        }
        // As a claim has it, in whole seconds.
        answer = { kind: 'right', proof: { id: factor.id, atMs: Math.floor(nowMs / 1000) * 1000 } };
        return { ...factor, used_step: step };
      });
      return answer;
    },
    begin({ username, generation }) {
      const secret = new Secret({ buffer: new Uint8Array(random.bytes(secretBytes)).buffer });
      const enrolment: Enrolment = {
        id: Buffer.from(random.bytes(idBytes)).toString('base64url'),
        secret: secret.base32,
        generation,
        over: accounts.find('factor', username)?.id ?? null,
        until: clock.nowMs() + factorLifetimeMs,
      };
      return {
        enrolmentId: sealer.seal(JSON.stringify(enrolment), enrolmentLabel(username)),
        secret: secret.base32,
        uri: new TOTP({ ...parameters, issuer, label: username, secret }).toString(),
      };
    },
    open({ username, generation }, enrolmentId) {
      const text = opened(enrolmentId, enrolmentLabel(username));
      const enrolment = text === null ? null : enrolmentShape.parse(JSON.parse(text));
      return enrolment?.generation === generation ? enrolment : null;
    },
    confirm: ({ secret, until }, code) =>
      until > clock.nowMs() ? stepOf(secret, code, clock.nowMs()) : null,
    async enrol(username, { id, secret, over }, usedStep) {
      const present = await accounts.read('factor', username);
      // An earlier attempt has stored it.
      if (present?.value.id === id) return true;
      if ((present?.value.id ?? null) !== over) return false;
      const created = clock.nowMs();
      const entry: SecondFactorEntry = {
        id,
        sealed: sealer.seal(secret, labelOf(username, id)),
        created,
        used_step: usedStep,
        wrong: present?.value.wrong ?? { since: created, count: 0 },
      };
      return accounts.replace('factor', username, entry, present?.revision ?? 0);
    },
    async remove(username, untilMs) {
      const present = await accounts.read('factor', username);
      if (present !== null && present.value.created <= untilMs) await accounts.remove('factor', username);
    },
  };
}

/** The time step whose code it is, at most one off (RFC 6238, 5.2); null: of none. */
function stepOf(secret: string, code: string, nowMs: number): number | null {
  const at = { period: parameters.period, timestamp: nowMs };
  const delta = TOTP.validate({
    ...parameters,
    ...at,
    token: code,
    secret: Secret.fromBase32(secret),
    window: 1,
  });
  return delta === null ? null : TOTP.counter(at) + delta;
}

function wrongAt({ wrong }: SecondFactorEntry, nowMs: number): SecondFactorEntry['wrong'] {
  return wrong.count > 0 && nowMs - wrong.since < hourMs ? wrong : { since: nowMs, count: 0 };
}

const labelOf = (username: string, id: string) => `second-factor.${username}.${id}`;
const enrolmentLabel = (username: string) => `second-factor-enrolment.${username}`;
