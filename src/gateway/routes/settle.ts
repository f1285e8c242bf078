import type { Principal } from '../../access/rights/principal.ts';
import type { Reply } from '../base/reply.ts';
import type { AnswerSink } from '../http/fast-path/route.ts';

/** Continues with the caller, synchronously for a known token: most requests cost no promise. */
export function identifyCaller(
  sink: Pick<AnswerSink, 'fail'>,
  ask: () => Principal | Promise<Principal>,
  next: (principal: Principal) => void,
): void {
  let principal: Principal | Promise<Principal>;
  try {
    principal = ask();
  } catch (error) {
    sink.fail(error);
    return;
  }
  if (principal instanceof Promise) principal.then(next, (error) => sink.fail(error));
  else next(principal);
}

/** Hands the operation's reply or refusal to the sink. */
export function settle(sink: AnswerSink, start: () => Promise<Reply>): void {
  let reply: Promise<Reply>;
  try {
    reply = start();
  } catch (error) {
    sink.fail(error);
    return;
  }
  reply.then(
    (answer) => {
      try {
        sink.answer(answer);
      } catch (error) {
        sink.fail(error);
      }
    },
    (error) => sink.fail(error),
  );
}
