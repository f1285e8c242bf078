import { walletSettings } from '../../../../../contracts/directory/wallet-settings.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { brandOfPath, brandParams } from '../operators/brand-of-path.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { walletView } from './wallet-view.ts';

/** A brand's wallet without its secrets, and what a call would find at its address. 404 where the brand has none. */
export const readBrandWalletOperation = defineOperation({
  id: 'wallet.read',
  name: 'Read the wallet settings of a brand',
  method: 'GET',
  path: '/config/operators/{operator_id}/brands/{brand_id}/wallet',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: { params: brandParams },
  output: walletSettings,
  refusals: [404],
  async handle({ principal, params }, context) {
    const brand = brandOfPath(params);
    requireOwner(context, principal, 'read', brand);
    return { status: 200, body: await walletView(context, brand) };
  },
});
