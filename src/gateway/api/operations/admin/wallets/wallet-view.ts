import { PublicError } from '../../../../base/errors.ts';
import type { GatewayContext } from '../../../operation/operation.ts';

/** A brand's wallet as it is shown: without its secrets, and with what a call would find at its address. */
export async function walletView(
  { access, walletAddress }: Pick<GatewayContext, 'access' | 'walletAddress'>,
  brand: string,
) {
  const settings = access.wallets.shown(brand);
  if (settings === undefined) throw new PublicError('brand_not_found', 'The brand has no wallet.');
  return {
    base_url: settings.baseUrl,
    provider_id: settings.providerId,
    close_rounds: settings.closeRounds,
    verification_limit: settings.verificationLimit,
    address_status: await walletAddress(settings.baseUrl),
  };
}
