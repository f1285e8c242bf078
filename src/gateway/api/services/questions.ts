import {
  decodeWalletAddressStatus,
  encodeWalletAddressQuestion,
  type WalletAddressStatus,
} from '../../../contracts/directory/wallet-settings.ts';
import {
  type DeliveryAnswer,
  type DeliveryQuestion,
  decodeDeliveryAnswer,
  encodeDeliveryQuestion,
} from '../../../contracts/payments/delivery-questions.ts';
import { type Bus, LogError } from '../../../ports.ts';
import { PublicError } from '../../base/errors.ts';

/** Asks the outbox that works for the lane. @throws PublicError overloaded where none answers */
export type AskDeliveries = (lane: number, question: DeliveryQuestion) => Promise<DeliveryAnswer>;

const answerTimeoutMs = 3_000;

export function askDeliveries(bus: Pick<Bus, 'request'>, subjectOf: (lane: number) => string): AskDeliveries {
  return async (lane, question) => {
    const answer = await bus
      .request(subjectOf(lane), encodeDeliveryQuestion(question), answerTimeoutMs)
      .then(decodeDeliveryAnswer, (error: unknown) => {
        if (error instanceof LogError) return null;
        throw error;
      });
    if (answer === null || answer.kind === 'starting') throw new PublicError('overloaded');
    return answer;
  };
}

/** What the wallet role finds at a wallet's address; an administrator waits for it. */
export type AskWalletAddress = (baseUrl: string) => Promise<WalletAddressStatus>;

const addressTimeoutMs = 3_000;

export function askWalletAddress(bus: Pick<Bus, 'request'>, subject: string): AskWalletAddress {
  return async (baseUrl) => {
    try {
      const bytes = await bus.request(subject, encodeWalletAddressQuestion(baseUrl), addressTimeoutMs);
      return decodeWalletAddressStatus(bytes);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      return 'unknown';
    }
  };
}
