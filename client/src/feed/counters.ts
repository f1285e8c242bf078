/** What is known of the counted events of each instance (docs/rules/feeds.md "Snapshot and recovery"). */
export class Counters {
  /** Instance → the newest event that is accounted for; the last changed is last. */
  readonly #newest = new Map<string, number>();
  /** Instance → the newest event that was handed on. */
  readonly #delivered = new Map<string, number>();
  /** What was known when this connection began, of instances that have not answered. */
  #before = new Map<string, number>();

  /** What a new connection asks for, as far as `bytes` hold it: the instances first that changed last. */
  since(bytes: number, instances: readonly string[] | undefined): Record<string, number> {
    this.#before = new Map(this.#newest);
    const since: Record<string, number> = {};
    let left = bytes;
    for (const [instance, seq] of [...this.#newest].reverse()) {
      if (instances?.includes(instance) === false) continue;
      left -= JSON.stringify(instance).length + String(seq).length + 2;
      if (left < 0) break;
      since[instance] = seq;
    }
    return since;
  }

  /** False: it was handed on before. */
  count(instance: string, seq: number): boolean {
    if (seq <= (this.#delivered.get(instance) ?? -1)) return false;
    this.#delivered.set(instance, seq);
    this.#set(instance, Math.max(seq, this.#newest.get(instance) ?? 0));
    return true;
  }

  /** Takes in a JackpotUpdate; says whether events before it are missing. */
  update(instance: string, eventSeq: number | undefined, recovered: boolean | undefined): boolean {
    const before = this.#before.get(instance);
    const newest = this.#newest.get(instance);
    const isFirst = this.#before.delete(instance) || newest === undefined;
    if (eventSeq !== undefined && eventSeq !== newest) {
      this.#set(instance, eventSeq);
      // A fan-out may hear of events a little later than another. A counter that stays behind is a restored system's.
      if (!isFirst && eventSeq < newest) this.#delivered.set(instance, eventSeq);
    }
    if (before === undefined || recovered === true) return false;
    return eventSeq === undefined ? recovered === false : eventSeq > before;
  }

  #set(instance: string, seq: number): void {
    this.#newest.delete(instance);
    this.#newest.set(instance, seq);
  }
}
