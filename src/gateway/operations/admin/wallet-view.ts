import type { BrandWallets } from '../../../access/brand-wallets.ts';
import { PublicError } from '../../errors.ts';

/** A brand's wallet as it is shown: without its secrets. */
export function walletView(wallets: BrandWallets, brand: string) {
  const settings = wallets.shown(brand);
  if (settings === undefined) throw new PublicError('brand_not_found', 'The brand has no wallet.');
  return {
    base_url: settings.baseUrl,
    provider_id: settings.providerId,
    close_rounds: settings.closeRounds,
    verification_limit: settings.verificationLimit,
  };
}
