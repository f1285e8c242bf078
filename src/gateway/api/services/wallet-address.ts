import {
  decodeWalletAddressStatus,
  encodeWalletAddressQuestion,
  type WalletAddressStatus,
} from '../../../contracts/directory/wallet-settings.ts';
import { type Bus, LogError } from '../../../ports.ts';

/** What the wallet role finds at a wallet's address; an administrator waits for it. */
export type AskWalletAddress = (baseUrl: string) => Promise<WalletAddressStatus>;

const answerTimeoutMs = 3_000;

export function askWalletAddress(bus: Pick<Bus, 'request'>, subject: string): AskWalletAddress {
  return async (baseUrl) => {
    try {
      const bytes = await bus.request(subject, encodeWalletAddressQuestion(baseUrl), answerTimeoutMs);
      return decodeWalletAddressStatus(bytes);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      return 'unknown';
    }
  };
}
