const minMs = 1_500;
const maxMs = 6_000;

/**
 * How long the creation of a consumer may take. A cluster may place it on a server that is cut off, and then
 * no answer comes: another try soon gets another place. Where servers are slow, each try in a row may take
 * twice as long.
 */
export class CreationPatience {
  limitMs = minMs;

  async within<T>(create: () => Promise<T>): Promise<T> {
    try {
      const created = await create();
      this.limitMs = minMs;
      return created;
    } catch (error) {
      this.limitMs = Math.min(maxMs, 2 * this.limitMs);
      throw error;
    }
  }
}
