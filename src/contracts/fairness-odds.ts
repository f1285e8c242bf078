type Members = Readonly<Record<string, unknown>>;

/**
 * A pot's triggers with what they mean for a player: [{<kind>: parameters, rule}]. A HitRate tells the contribution that
 * hits for certain besides, in the instance's currency.
 */
export function oddsOf(types: readonly Members[]): Members[] {
  return types.map((type) => {
    const kind = Object.keys(type)[0] ?? '';
    return { ...withCertainty(type), rule: rules[kind] ?? '' };
  });
}

function withCertainty(type: Members): Members {
  const rate = type.HitRate as
    | { readonly max_magic_number: number; readonly cost_per_attempt: bigint }
    | undefined;
  if (rate === undefined) return type;
  const certain_at_contribution = BigInt(rate.max_magic_number) * rate.cost_per_attempt;
  return { HitRate: { ...rate, certain_at_contribution } };
}

const rules: Readonly<Record<string, string>> = {
  HitRate:
    'A contribution hits with the probability contribution ÷ certain_at_contribution, which is max_magic_number × cost_per_attempt: twice the contribution, twice the chance.',
  Threshold:
    'The pot drops before its value passes max_value. A contribution that moves it from v0 to v1 hits with the probability (v1 − v) ÷ (max_value − v), v being v0, but at least min_value; the one that reaches max_value hits for certain.',
  Time: 'The pot drops once in its window. A contribution hits with the probability of the time since the one before it (or since start_time) ÷ the time that was left until end_time; the first one at or after end_time hits for certain. Times below 86,400,000 are milliseconds of every UTC day.',
  External: 'The pot is not drawn: it is paid when the operator says so, and the win is flagged as external.',
};

/** Of a raffle, where nothing is drawn per contribution. */
export const raffleRule =
  'At the end of a round tickets are drawn without replacement, each ticket of the round with the same chance; a player with several tickets may win several times.';
