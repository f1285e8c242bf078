/** What an operation knows of the approval of its request. */
export interface ApprovedRequest {
  readonly id: string;
  /** User name of the second administrator. */
  readonly approvedBy: string;
  /** When it was approved: nothing that is older was made by it. */
  readonly sinceMs: number;
  /** From 1; above it, an earlier execution broke off and may have changed everything or nothing. */
  readonly attempt: number;
  /**
   * The version or revision that the proposal named or the first attempt found under this name, so that a later one does
   * not change what has changed since. Stored before the operation writes anything.
   */
  fence(name: string, found: number): Promise<number>;
  /** Moves the fence: what the operation tried to write on top of it was certainly not stored. */
  moveFence(name: string, found: number): Promise<void>;
}
