import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the bench that answers calls, one after the other. */
export class Remote<Calls extends Record<string, (input: never) => Promise<unknown>>> {
  readonly #child: ChildProcess;
  #last: Promise<unknown> = Promise.resolve();

  constructor(script: string, args: readonly string[] = []) {
    const path = fileURLToPath(new URL(script, import.meta.url));
    this.#child = spawn(process.execPath, [path, ...args], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  call<Name extends keyof Calls & string>(
    name: Name,
    input: Parameters<Calls[Name]>[0],
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    const answer = this.#last.then(async () => {
      this.#child.send({ name, input });
      const ended = new AbortController();
      try {
        const [message] = await Promise.race([
          once(this.#child, 'message', { signal: ended.signal }),
          once(this.#child, 'exit', { signal: ended.signal }).then(([code]) => {
            throw new Error(`A process of the bench ended with ${code} during ${name}.`);
          }),
        ]);
        if (message.error !== undefined) throw new Error(message.error);
        return message.result;
      } finally {
        ended.abort();
      }
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Answers the calls of the process that started this one, and ends with it. */
export function answerCalls(calls: Record<string, (input: never) => Promise<unknown>>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', ({ name, input }: { name: string; input: never }) => {
    const answer = calls[name]?.(input) ?? Promise.reject(new Error(`There is no call ${name}.`));
    answer.then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}

/** Milliseconds that processes of one machine agree on. */
export function sharedMs(): number {
  return performance.timeOrigin + performance.now();
}
