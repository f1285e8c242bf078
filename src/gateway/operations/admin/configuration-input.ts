import { configuration, configurationNames } from '../../../contracts/configuration.ts';
import { withoutAbsent } from '../../../contracts/configuration-fields.ts';
import { brandPath, operatorOf } from '../../../contracts/identifiers.ts';
import type { InstanceConfigurationDocument } from '../../../contracts/log/commands.ts';
import { minorUnitExponent } from '../../../lib/currencies.ts';
import { PublicError } from '../../errors.ts';
import { validateInput } from '../../http/validate.ts';
import type { GatewayContext } from '../../operation.ts';

type Members = Readonly<Record<string, unknown>>;

/** A whole configuration, parsed from whatever overrides made of it. @throws PublicError */
export function parseConfiguration(document: Members): Members {
  return validateInput(configuration, 'body', document) as Members;
}

/**
 * The normal form of a parsed configuration: its members alone, absent ones left out, brands as paths.
 * @throws PublicError where a brand is missing or the currency has no known minor unit
 */
export function normalConfiguration(
  context: GatewayContext,
  parsed: Members,
  owner: string,
): InstanceConfigurationDocument {
  const present = configurationNames.filter((name) => Object.hasOwn(parsed, name));
  const document = withoutAbsent(Object.fromEntries(present.map((name) => [name, parsed[name]])));
  const rules = document.contribution_rules as Members;
  const normal = { ...document, contribution_rules: withBrandPaths(context, rules, operatorOf(owner)) };
  requireCurrency(context, String(document.currency));
  return normal as unknown as InstanceConfigurationDocument;
}

function withBrandPaths(context: GatewayContext, rules: Members, operator: string): Members {
  if (!Array.isArray(rules.allowed_brands)) return rules;
  const paths = (rules.allowed_brands as string[]).map((brand) =>
    brand.includes(':') ? brand : brandPath(operator, brand),
  );
  if (paths.some((path) => !context.directory.entries.brands.has(path)))
    throw new PublicError(
      'config_invalid',
      'contribution_rules.allowed_brands names a brand that does not exist.',
    );
  return { ...rules, allowed_brands: [...new Set(paths)] };
}

function requireCurrency(context: GatewayContext, currency: string): void {
  if (minorUnitExponent(currency) !== null) return;
  const table = context.directory.rates('');
  if (table === undefined || !Object.hasOwn(table.exponents, currency))
    throw new PublicError('currency_unknown');
}
