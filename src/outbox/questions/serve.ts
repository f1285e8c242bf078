import {
  type DeliveryAnswer,
  type DeliveryQuestion,
  decodeDeliveryQuestion,
  encodeDeliveryAnswer,
} from '../../contracts/payments/delivery-questions.ts';
import { deliveriesSubject } from '../../log/base/names.ts';
import type { Bus, BusMessage } from '../../ports.ts';
import { outboxLimits } from '../delivery/limits.ts';
import { Stopped } from '../store/persistently.ts';

/** Answers gateways for a lane until it is stopped. What is too much is not answered: the caller gets `overloaded`. */
export function serveDeliveryQuestions(
  lane: number,
  bus: Pick<Bus, 'subscribe'>,
  answer: (question: DeliveryQuestion) => Promise<DeliveryAnswer>,
  report: (message: string, error: unknown) => void,
): { stop(): void } {
  let open = 0;
  async function attend(message: BusMessage): Promise<void> {
    const question = decodeDeliveryQuestion(message.bytes);
    if (question === null || open >= outboxLimits.questionsAtOnce) return;
    open += 1;
    try {
      message.respond(encodeDeliveryAnswer(await answer(question)));
    } finally {
      open -= 1;
    }
  }
  return bus.subscribe(deliveriesSubject(lane), (message) => {
    attend(message).catch((error: unknown) => {
      if (!(error instanceof Stopped)) report(`A question about lane ${lane} met a bug.`, error);
    });
  });
}
