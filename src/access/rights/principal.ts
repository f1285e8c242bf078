import type { AdministratorRole } from '../../contracts/accounts/users.ts';

/** The caller, as a verified credential proves it; never taken from anything else in a request. */
export type Principal = Anonymous | ServicePrincipal | AdministratorPrincipal;

export interface Anonymous {
  readonly kind: 'anonymous';
}

/** An operator's external service: the bearer of a token from O25. */
export interface ServicePrincipal {
  readonly kind: 'service';
  /** User name of the service user (`sub`). */
  readonly subject: string;
  readonly operator: string;
  /** Brand paths that the claims name; null: every brand of the operator. */
  readonly brands: ReadonlySet<string> | null;
  /** What it may do beside what every service may; absent: nothing. */
  readonly rights?: ReadonlySet<string>;
  readonly tokenId: string;
  readonly expiresAtMs: number;
}

/** A person of the administration: the bearer of a token from `POST /auth/admin`. */
export interface AdministratorPrincipal {
  readonly kind: 'administrator';
  readonly subject: string;
  readonly roles: ReadonlySet<AdministratorRole>;
  /** Owner ids (operators, brand paths) that the roles hold for; `*`: the whole system. */
  readonly owners: ReadonlySet<string>;
  readonly tokenId: string;
  readonly expiresAtMs: number;
  /** The session of the token: what ends all of it, and when it can no longer be renewed. */
  readonly session?: { readonly id: string; readonly endsMs: number };
  /** The factor of the account, by its id, whose code the session showed last, and when. */
  readonly secondFactor?: FactorProof;
  /** The operator at whose identity provider the session began. */
  readonly provider?: string;
  /** A second administrator who approved what this one proposed: the rights of both are needed. */
  readonly approver?: AdministratorPrincipal;
}

export interface FactorProof {
  readonly id: string;
  readonly atMs: number;
}

export const anonymous: Anonymous = { kind: 'anonymous' };
