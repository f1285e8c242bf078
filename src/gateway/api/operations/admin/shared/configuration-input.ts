import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { configuration, configurationNames } from '../../../../../contracts/configuration/configuration.ts';
import { withoutAbsent } from '../../../../../contracts/fields/configuration-fields.ts';
import { brandPath, operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { diversionOf, divertsElsewhere } from '../../../../../directory/four-eyes/configuration-change.ts';
import { mergeConfiguration } from '../../../../../directory/merge.ts';
import type { TemplateEntry } from '../../../../../directory/owners.ts';
import { minorUnitExponent } from '../../../../../lib/currencies.ts';
import type { InstanceConfigurationDocument } from '../../../../../messages/instance-commands.ts';
import { parseEndpoint } from '../../../../../network/endpoint.ts';
import { PublicError } from '../../../../base/errors.ts';
import { validateInput } from '../../../../base/validate.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { requireAllowed } from './owner-access.ts';

type Members = Readonly<Record<string, unknown>>;

/** A whole configuration, parsed from whatever overrides made of it. @throws PublicError */
export function validConfiguration(document: Members): Members {
  return validateInput(configuration, 'body', document) as Members;
}

/** Brand paths that a configuration in normal form lists; none where it allows all of its owner's. */
export function allowedBrandsOf(configuration: unknown): readonly string[] {
  const { contribution_rules: rules } = configuration as InstanceConfigurationDocument;
  return Array.isArray(rules.allowed_brands) ? (rules.allowed_brands as string[]) : [];
}

/** A configuration with overrides on top. @throws PublicError also where two overrides are of the same pot */
export function overriddenConfiguration(base: Members, overrides: Members): Members {
  const parsed = validConfiguration(mergeConfiguration(base, overrides));
  const pots = (overrides.pots ?? []) as readonly { readonly id: string }[];
  if (new Set(pots.map(({ id }) => id)).size < pots.length)
    throw new PublicError('config_invalid', 'pots of the overrides must have different ids.');
  return parsed;
}

/**
 * The normal form of a parsed configuration: present members alone, brands as paths. @throws PublicError
 * where the currency has no known minor unit, or the diversion's endpoint is not allowed
 */
export function normalConfiguration(
  context: GatewayContext,
  parsed: Members,
  owner: string,
): InstanceConfigurationDocument {
  const present = configurationNames.filter((name) => Object.hasOwn(parsed, name));
  const document = withoutAbsent(Object.fromEntries(present.map((name) => [name, parsed[name]])));
  const rules = document.contribution_rules as Members;
  const normal = { ...document, contribution_rules: withBrandPaths(rules, operatorOf(owner)) };
  requireCurrency(context, String(document.currency));
  requireEndpoint(context, (document.house_pot ?? {}) as Members);
  return normal as unknown as InstanceConfigurationDocument;
}

/**
 * Checks that need the directory, worded like the engine's. A brand that the caller may not allow (A23) reads
 * like a missing one.
 */
export function directoryFaults(
  context: GatewayContext,
  configuration: InstanceConfigurationDocument,
  mayAllow: (brand: string) => boolean,
): readonly string[] {
  const rules = configuration.contribution_rules;
  const brands = allowedBrandsOf(configuration);
  const isMissing = (path: string) => !context.directory.entries.brands.has(path) || !mayAllow(path);
  const maximum = (rules.max_contribution ?? {}) as Members;
  return [
    ...brands.flatMap((path, index) =>
      isMissing(path) ? [`contribution_rules.allowed_brands[${index}] is no brand that exists`] : [],
    ),
    ...currencyFaults(context, rules.contribution_values_alt, 'contribution_values_alt'),
    ...currencyFaults(
      context,
      maximum.max_contribution_values_alt,
      'max_contribution.max_contribution_values_alt',
    ),
  ];
}

function currencyFaults(context: GatewayContext, alternatives: unknown, name: string): readonly string[] {
  const list = Array.isArray(alternatives) ? (alternatives as Members[]) : [];
  return list.flatMap(({ currency }, index) =>
    isKnownCurrency(context, String(currency))
      ? []
      : [`contribution_rules.${name}[${index}].currency is neither in ISO 4217 nor in the rate table`],
  );
}

function withBrandPaths(rules: Members, operator: string): Members {
  if (!Array.isArray(rules.allowed_brands)) return rules;
  const paths = (rules.allowed_brands as string[]).map((brand) =>
    brand.includes(':') ? brand : brandPath(operator, brand),
  );
  return { ...rules, allowed_brands: [...new Set(paths)] };
}

function requireCurrency(context: GatewayContext, currency: string): void {
  if (!isKnownCurrency(context, currency)) throw new PublicError('currency_unknown');
}

/** Diversions go where callbacks may go (docs/rules/callbacks.md "Addresses"). */
function requireEndpoint({ development }: GatewayContext, housePot: Members): void {
  const { target } = (housePot.diversion_rules ?? {}) as { readonly target?: Members };
  if (target === undefined) return;
  const { endpoint } = target.External as Members;
  if (parseEndpoint(String(endpoint), development) === null) throw new PublicError('endpoint_not_allowed');
}

/** A currency outside ISO 4217 needs its exponent in the rate table. */
function isKnownCurrency(context: GatewayContext, currency: string): boolean {
  if (minorUnitExponent(currency) !== null) return true;
  const table = context.directory.rates('');
  return table !== undefined && Object.hasOwn(table.exponents, currency);
}

/**
 * Money is diverted to registered webhook origins alone; naming another address than `before` takes the right
 * to secure the owner (docs/rules/callbacks.md "Addresses").
 * @throws PublicError forbidden, endpoint_not_allowed
 */
export function requireDiversion(
  { directory, development }: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  before: Members | null,
  configuration: InstanceConfigurationDocument,
): void {
  const target = diversionOf(configuration);
  if (target === null) return;
  if (divertsElsewhere(before, configuration)) requireAllowed(principal, 'secure', owner, 'forbidden');
  const endpoint = parseEndpoint(target.External.endpoint, development);
  if (endpoint === null || !directory.allowsWebhook(operatorOf(owner), endpoint.origin))
    throw new PublicError('endpoint_not_allowed');
}

/** The configuration of an own template, whose address was judged; null: another operator's. */
export function ownConfiguration(template: TemplateEntry, owner: string): Members | null {
  return operatorOf(template.owner) === operatorOf(owner) ? template.configuration : null;
}
