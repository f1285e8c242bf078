import { readFileSync } from 'node:fs';
import { configuration, configurationNames } from '../../src/contracts/configuration/configuration.ts';
import { withoutAbsent } from '../../src/contracts/fields/configuration-fields.ts';
import { checkConfiguration } from '../../src/jackpot/rules/configuration/parse.ts';
import type { InstanceConfigurationDocument } from '../../src/messages/instance-commands.ts';
import type { Template } from '../../src/simulation/choices.ts';

/** The file cannot be simulated; the message says all that is wrong with it. */
export class TemplateError extends Error {}

/**
 * A template as POST /config/templates takes it, or the configuration members alone. @throws TemplateError
 */
export function readTemplate(path: string): Template {
  const members = readMembers(path);
  const present = configurationNames.filter((name) => Object.hasOwn(members, name));
  const parsed = configuration.safeParse(Object.fromEntries(present.map((name) => [name, members[name]])));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new TemplateError(`${path} is not a template:\n${faults.join('\n')}`);
  }
  const document = withoutAbsent(parsed.data) as unknown as InstanceConfigurationDocument;
  const { faults, warnings } = checkConfiguration(document);
  if (faults.length > 0) throw new TemplateError(`${path} cannot be played:\n  ${faults.join('\n  ')}`);
  return {
    name: textOf(members.name, path),
    description: textOf(members.description, ''),
    configuration: document,
    warnings,
  };
}

function readMembers(path: string): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new TemplateError(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new TemplateError(`${path} is not an object`);
  return json as Record<string, unknown>;
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' && value !== '' ? value : fallback;
}
