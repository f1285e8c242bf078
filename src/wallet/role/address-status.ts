import type { WalletAddressStatus } from '../../contracts/directory/wallet-settings.ts';
import {
  type AddressCheck,
  AddressNotAllowed,
  checkedAddresses,
  NameNotResolved,
} from '../../outbound/checked-addresses.ts';

/** What a call to the wallet would find at its address now. */
export async function walletAddressStatus(
  baseUrl: string,
  check: AddressCheck,
): Promise<WalletAddressStatus> {
  try {
    await checkedAddresses(new URL(baseUrl).hostname, check);
    return 'callable';
  } catch (error) {
    if (error instanceof AddressNotAllowed || error instanceof NameNotResolved) return error.code;
    throw error;
  }
}
