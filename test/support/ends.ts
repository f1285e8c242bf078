/** Half of what a hook may take: a tear-down that hangs says what hangs, which the time-out of the hook does not. */
const limitMs = 120_000;

/** What `work` gives. @throws if it takes too long, with the name of what should have ended */
export async function ends<T>(what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not end within ${limitMs} ms.`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
