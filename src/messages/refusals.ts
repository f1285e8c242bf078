/** Why a lane refuses a command: a closed union, every member a public error code of the service. */
export type RefusalCode =
  | 'already_exists'
  | 'amount_negative'
  | 'amount_out_of_range'
  | 'brand_not_allowed'
  | 'brand_not_found'
  | 'config_invalid'
  | 'contribution_limit'
  | 'country_not_allowed'
  | 'currency_mismatch'
  | 'currency_not_supported'
  | 'currency_unknown'
  | 'debit_refused'
  | 'group_mismatch'
  | 'instance_not_active'
  | 'instance_not_found'
  | 'instance_suspended'
  | 'internal_error'
  | 'invalid_parameter'
  | 'invalid_transition'
  | 'jackpot_not_found'
  | 'not_mapped'
  | 'opt_in_required'
  | 'overloaded'
  | 'forbidden'
  | 'player_limit'
  | 'player_opted_out'
  | 'pot_empty'
  | 'pot_limit_exceeded'
  | 'pot_not_found'
  | 'rate_invalid'
  | 'switch_in_progress'
  | 'transfer_rules_invalid'
  | 'trigger_not_supported'
  | 'version_conflict'
  | 'wager_below_minimum'
  | 'wallet_unavailable';

export interface Refusal {
  readonly kind: 'Refused';
  readonly code: RefusalCode;
  /** Empty: the code's own. */
  readonly message: string;
}

/** A refusal; without `message`, the caller sees the code's own. */
export function refused(code: RefusalCode, message = ''): Refusal {
  return { kind: 'Refused', code, message };
}

/** The outcome of a command that the lane's engine did not know either. */
export const unknownCommand: Refusal = refused('invalid_parameter', 'this engine does not know the command');
