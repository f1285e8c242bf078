import { expect, it } from 'vitest';
import { JoinedFollower } from '../../../src/log/archive/joined-follower.ts';
import { type Follower, type FollowHandlers, LogError } from '../../../src/ports.ts';

interface Message {
  readonly sequence: number;
}

/** A stream with the messages from `first` to `last`, and an archive with those up to `archivedTo`. */
function world(first: number, last: number, archivedTo: number, reportsHoles = true) {
  const delivered: number[] = [];
  const caughtUp: number[] = [];
  const follow = (from: number, handlers: FollowHandlers<Message>): Follower => {
    let end: () => void = () => {};
    const done = (async () => {
      await Promise.resolve();
      if (reportsHoles && (from < first || from > last + 1)) throw new LogError('hole', `no message ${from}`);
      for (let sequence = Math.max(from, first); sequence <= last; sequence += 1)
        await handlers.message({ sequence });
      handlers.caughtUp?.(last);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    })();
    done.catch(() => {});
    return { done, stop: async () => end() };
  };
  const archived = async (from: number): Promise<Message[] | null> =>
    from > archivedTo ? null : [{ sequence: from }, ...(from < archivedTo ? [{ sequence: from + 1 }] : [])];
  const start = (from: number) =>
    new JoinedFollower<Message>(
      from,
      { message: ({ sequence }) => void delivered.push(sequence), caughtUp: (at) => void caughtUp.push(at) },
      { follow, archived, first: async () => first, reportsHoles },
    );
  return { start, delivered, caughtUp };
}

it.each([true, false])(
  'reads what the stream has dropped, then follows the stream (reports holes: %s)',
  async (holes) => {
    const { start, delivered, caughtUp } = world(5, 9, 6, holes);
    const follower = start(2);
    await expect.poll(() => caughtUp).toEqual([9]);
    expect(delivered).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    await follower.stop();
    await follower.done;
  },
);

it('asks the archive for nothing that the stream has', async () => {
  const { start, delivered, caughtUp } = world(5, 9, 100);
  const follower = start(7);
  await expect.poll(() => caughtUp).toEqual([9]);
  expect(delivered).toEqual([7, 8, 9]);
  await follower.stop();
});

it('does not continue a stream that has lost its end with what was archived of it', async () => {
  const { start, delivered } = world(5, 9, 100);
  await expect(start(12).done).rejects.toMatchObject({ code: 'hole' });
  expect(delivered).toEqual([]);
});

it('fails where neither has a message', async () => {
  const { start, delivered } = world(5, 9, 0);
  await expect(start(2).done).rejects.toMatchObject({ code: 'hole', message: 'no message 2' });
  expect(delivered).toEqual([]);
});
