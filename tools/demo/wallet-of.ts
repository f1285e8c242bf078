import { urlToReach } from '../../src/lib/loopback.ts';
import { readKeys } from '../reference-wallet/keys.ts';
import type { DemoWallet } from './wallet-call.ts';

interface WalletSettings {
  readonly dataDirectory: string;
  readonly walletHost: string;
  readonly walletPort: number;
}

/** The reference wallet of these settings; null where none runs beside the demo. */
export function walletOf({ dataDirectory, walletHost, walletPort }: WalletSettings): DemoWallet | null {
  const keys = walletPort === 0 ? null : readKeys(dataDirectory);
  return keys === null ? null : { url: urlToReach(walletHost, walletPort), keys };
}
