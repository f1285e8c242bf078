import type { ErrorCode } from '../../../contracts/errors/codes.ts';

/**
 * The read model of directory and lanes for operations on contributions. It answers from memory and follows the
 * DIRECTORY table and the outcome records of the lanes.
 */
export interface DirectoryReadModel {
  operator(operator: string): OwnerEntry | undefined;
  /** By brand path. */
  brand(brand: string): DirectoryBrand | undefined;
  instance(instance: string): DirectoryInstance | undefined;
  /**
   * The group whose lane resolves the source for this brand, or undefined where neither the brand nor its operator
   * has such a source. Without bindings it is the operator's own group.
   */
  groupOfSource(brand: string, source: string): string | undefined;
  /** The code for what is not known or not visible, unless a lane that was not read may have it. */
  unknownOr<Code extends ErrorCode>(missing: Code): ErrorCode;
  /** Why nothing can be asked of a lane now; null: it can. */
  readonly conditions: { fault(lane: number): ErrorCode | null };
}

interface OwnerEntry {
  readonly enabled: boolean;
}

export interface DirectoryBrand extends OwnerEntry {
  /** Whether the brand has a wallet: then the player's part waits for a debit. */
  readonly wallet: boolean;
}

export interface DirectoryInstance {
  readonly group: string;
  /** Owner id: an operator, or a brand path. */
  readonly owner: string;
  readonly status: string;
  /** null: all brands of the owner. */
  readonly allowedBrands: readonly string[] | null;
}
