import type { WalletSettings } from '../../../../access/keys/brand-wallets.ts';
import { isAcceptableSecret } from '../../../../access/keys/webhook-secrets.ts';
import { directoryKey } from '../../../../contracts/directory/directory-keys.ts';
import {
  newWalletCertificate,
  newWalletSettings,
  walletSettings,
} from '../../../../contracts/directory/wallet-settings.ts';
import { canonicalText } from '../../../../directory/four-eyes/configuration-change.ts';
import { isAbove, noRule } from '../../../../directory/four-eyes/rule.ts';
import { parseEndpoint } from '../../../../network/endpoint.ts';
import { PublicError } from '../../../base/errors.ts';
import { stored } from '../../../base/stored.ts';
import { fourEyesRule } from '../../approvals/four-eyes.ts';
import { propose } from '../../approvals/propose.ts';
import { lanesHave, updateEntry } from '../../directory/write-entries.ts';
import { defineChange, defineRead, type GatewayContext } from '../../operation/operation.ts';
import { brandOfPath, brandParams, requireSameBrand } from './operators/brands.ts';
import { requireOwner, requireSameId } from './shared/owner-access.ts';

/** A brand's wallet without its secrets, and what a call would find at its address. 404 without a wallet. */
export const readBrandWalletOperation = defineRead('read', {
  id: 'wallet.read',
  name: 'Read the wallet settings of a brand',
  route: 'GET /config/operators/{operator_id}/brands/{brand_id}/wallet',
  input: { params: brandParams },
  output: walletSettings,
  refusals: [404],
  async handle({ principal, params }, context) {
    const brand = brandOfPath(params);
    requireOwner(context, principal, 'read', brand);
    return { status: 200, body: await walletView(context, brand) };
  },
});

/**
 * Replaces the settings of a brand's wallet (docs/rules/http.md "Secrets"). They are stored before the brand
 * counts as having one, so that no contribution waits for a wallet that cannot be reached. Answers when every
 * lane knows. Everything but a lower verification limit needs approval (docs/decisions/0456).
 */
export const setBrandWalletOperation = defineChange('secure', {
  id: 'wallet.set',
  name: 'Set the wallet of a brand',
  route: 'PUT /config/operators/{operator_id}/brands/{brand_id}/wallet',
  input: { params: brandParams, body: newWalletSettings },
  output: walletSettings,
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    const brand = brandOfPath(params);
    requireSameId(body.operator_id, params.operator_id);
    requireSameBrand(body.brand_id, brand);
    requireOwner(context, principal, 'secure', brand);
    const close_rounds = body.close_rounds ?? false;
    const batch_debits = body.batch_debits ?? false;
    if (close_rounds && batch_debits)
      throw new PublicError('invalid_request', 'A batch of debits names no round that could be closed.');
    const endpoint = parseEndpoint(body.base_url, context.development);
    if (endpoint === null || endpoint.address.includes('?')) throw new PublicError('endpoint_not_allowed');
    if (!isAcceptableSecret(body.hmac_secret)) throw new PublicError('secret_too_weak');
    // A name that does not resolve yet may do so later; only its present addresses can be judged.
    if ((await context.walletAddress(endpoint.address)) === 'address_not_allowed')
      throw new PublicError('endpoint_not_allowed');
    const verification_limit = body.verification_limit ?? null;
    const verification_currency = context.directory.rates(brand)?.base_currency ?? '';
    if (verification_limit !== null && verification_currency === '')
      throw new PublicError(
        'rate_invalid',
        'A verification limit needs currency rates: they name its currency.',
      );
    const settings = {
      brand,
      baseUrl: endpoint.address,
      bearerKey: body.bearer_key,
      hmacSecret: body.hmac_secret,
      providerId: body.provider_id,
      closeRounds: close_rounds,
      batchDebits: batch_debits,
      verificationLimit: verification_limit,
    };
    const { wallets } = context.access;
    const nowMs = context.clock.nowMs();
    const { enabled: isRuled } = approved === null ? await fourEyesRule(context, brand) : noRule;
    if (!isRuled) await stored(() => wallets.set(settings, nowMs));
    else if (
      !(await stored(() => wallets.replace(settings, nowMs, (present) => isCareful(present, settings))))
    )
      return propose(context, request, brand);
    const revision = await updateEntry(context, 'brand', directoryKey.brand(brand), (current) => {
      if (current === null) throw new PublicError('brand_not_found');
      const of = { provider: body.provider_id, close_rounds, batch_debits };
      return { ...current, wallet: true, ...of, verification_limit, verification_currency };
    });
    await lanesHave(context, revision);
    return { status: 200, body: await walletView(context, brand) };
  },
});

/**
 * Records what `potstream wallet verify` found at the brand's wallet, in the name of the caller: nothing else
 * depends on it (docs/rules/wallets.md "Certificates"). The next one replaces it. 404 without a wallet.
 */
export const certifyWalletOperation = defineChange('secure', {
  id: 'wallet.certify',
  name: 'Record the certificate of a wallet',
  route: 'PUT /config/operators/{operator_id}/brands/{brand_id}/wallet/certificate',
  input: { params: brandParams, body: newWalletCertificate },
  output: walletSettings,
  refusals: [404],
  async handle({ principal, params, body }, context) {
    const { operator_id, brand_id, ...found } = body;
    const brand = brandOfPath(params);
    requireSameId(operator_id, params.operator_id);
    requireSameBrand(brand_id, brand);
    requireOwner(context, principal, 'secure', brand);
    if (context.access.wallets.shown(brand) === undefined) throw new PublicError('brand_not_found', noWallet);
    const endpoint = parseEndpoint(found.base_url, context.development);
    if (endpoint === null || endpoint.address.includes('?')) throw new PublicError('endpoint_not_allowed');
    const recorded_timestamp = context.clock.nowMs();
    if (found.verified_timestamp > recorded_timestamp)
      throw new PublicError('invalid_request', 'verified_timestamp is later than now: compare both clocks.');
    const recorded = { recorded_by: principal.subject, recorded_timestamp };
    const entry = { ...found, base_url: endpoint.address, ...recorded };
    await stored(() => context.access.accounts.set('certificate', brand, entry));
    return { status: 200, body: await walletView(context, brand) };
  },
});

const noWallet = 'The brand has no wallet.';

/** Whether only more wins than before wait for a person. */
function isCareful(present: WalletSettings, next: WalletSettings): boolean {
  const { verificationLimit: before } = present;
  const { verificationLimit: after } = next;
  const isLower = before === null || (after !== null && !isAbove(after, before));
  return isLower && canonicalText({ ...present, verificationLimit: after }) === canonicalText(next);
}

/** A brand's wallet as it is shown: without its secrets, and with what a call would find at its address. */
async function walletView({ access, walletAddress }: GatewayContext, brand: string) {
  const settings = access.wallets.shown(brand);
  if (settings === undefined) throw new PublicError('brand_not_found', noWallet);
  const certificate = access.accounts.find('certificate', brand);
  return {
    base_url: settings.baseUrl,
    provider_id: settings.providerId,
    close_rounds: settings.closeRounds,
    batch_debits: settings.batchDebits,
    verification_limit: settings.verificationLimit,
    address_status: await walletAddress(settings.baseUrl),
    certificate:
      certificate === undefined
        ? null
        : { ...certificate, certified: certificate.passed > 0 && certificate.failed.length === 0 },
  };
}
