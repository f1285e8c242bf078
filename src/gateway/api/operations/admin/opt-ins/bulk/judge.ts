import { authorize } from '../../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../../access/rights/principal.ts';
import type { ErrorCode } from '../../../../../../contracts/errors/codes.ts';
import { operatorOf } from '../../../../../../contracts/fields/identifiers.ts';
import type { KnownInstance } from '../../../../../../directory/lane-view.ts';
import type { ReadModel } from '../../../../../../directory/read-model.ts';
import { currencyRefusal, stateRefusal } from '../../../../players/opt-in.ts';
import type { AskedRow } from './rows.ts';

interface Admitted {
  readonly known: KnownInstance;
  /** Path. */
  readonly brand: string;
}

type Verdict = Admitted | ErrorCode;

/**
 * What the gateway can say of a row, in the order of A24. Rows come in runs of one instance and brand: what is the same for
 * all of them is looked up once.
 */
export class RowJudge {
  readonly #directory: ReadModel;
  readonly #principal: AdministratorPrincipal;
  readonly #verdicts = new Map<string, Verdict>();
  readonly #currencies = new Map<string, ErrorCode | null>();

  constructor(directory: ReadModel, principal: AdministratorPrincipal) {
    this.#directory = directory;
    this.#principal = principal;
  }

  judge({ instance, brand, currency, optIn, fault }: AskedRow): Verdict {
    if (fault !== null) return fault;
    const verdict = cached(this.#verdicts, `${instance} ${brand}`, () => this.#admit(instance, brand));
    if (typeof verdict === 'string' || !optIn) return verdict;
    const refusal = cached(this.#currencies, `${instance} ${verdict.brand} ${currency}`, () =>
      currencyRefusal(this.#directory, verdict.known, verdict.brand, currency),
    );
    if (refusal === null) return verdict;
    return stateRefusal(verdict.known, verdict.brand, null) ?? refusal;
  }

  #admit(instance: string, given: string): Verdict {
    const directory = this.#directory;
    const known = directory.known(instance);
    const missing = directory.unknownOr('instance_not_found');
    if (known === undefined) return missing;
    const fault = directory.conditions.fault(known.lane);
    const operator = operatorOf(known.description.owner);
    const refusal = this.#refusal(known.description.owner, missing);
    if (refusal !== null) return refusal;
    const brand = directory.entries.brandPath(given, operator);
    if (brand === null) return 'brand_not_found';
    const foreign = this.#refusal(brand, 'brand_not_found');
    if (foreign !== null) return foreign;
    if (!directory.visibleTo({ kind: 'operator', operator: operatorOf(brand) }, known))
      return stateRefusal(known, brand, null) ?? 'brand_not_allowed';
    return fault ?? { known, brand };
  }

  #refusal(owner: string, missing: ErrorCode): ErrorCode | null {
    const decision = authorize(this.#principal, 'opt_in', owner);
    if (decision === 'allowed') return null;
    return decision === 'foreign' ? missing : 'forbidden';
  }
}

function cached<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
