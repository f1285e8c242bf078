/** Why a call came to nothing, by the code of the wallet's client (docs/rules/wallets.md "Answers"). */
const reasons: Readonly<Record<string, string>> = {
  no_answer: 'The wallet did not answer',
  status: 'The wallet answered with an error that decides nothing',
  garbage: 'The wallet’s answer could not be read',
  oversize: 'The wallet’s answer was too long',
  name_not_resolved: 'The wallet’s address has no server behind its name',
  address_not_allowed: 'The wallet was not asked: its address may not be called',
  breaker_open: 'The wallet was not asked: too many calls had failed',
  too_many_calls: 'The wallet was not asked: too many calls were waiting',
  wallet_settings_missing: 'The wallet was not asked: the brand has none set',
  verification_limit: 'The win is above the limit of its brand',
};

/** A reason in words; what a wallet or a person said stays as it is. */
export function reasonText(reason: string | null): string | null {
  return reason !== null && Object.hasOwn(reasons, reason) ? (reasons[reason] ?? null) : reason;
}
