/** A bug in our own code, never a caller's fault. The supervising process decides what stops. */
class AssertionFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AssertionFailure';
  }
}

/** Narrows the types to `condition`. @throws AssertionFailure with `message` if it is false */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(message);
}

/** Marks a branch that the types rule out. @throws AssertionFailure always */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable: ${JSON.stringify(value)}`);
}
