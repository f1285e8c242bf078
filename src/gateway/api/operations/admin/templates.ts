import * as z from 'zod';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import { configurationView } from '../../../../contracts/configuration/document-view.ts';
import {
  newTemplate,
  templateChange,
  templateCopy,
  templateShape,
} from '../../../../contracts/configuration/template.ts';
import { directoryKey } from '../../../../contracts/directory/directory-keys.ts';
import { ownerField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { cursorQuery, nameFilter } from '../../../../contracts/fields/lists.ts';
import { divertsElsewhere } from '../../../../directory/four-eyes/configuration-change.ts';
import { ownedKey, type TemplateEntry } from '../../../../directory/owners.ts';
import { allOf, named } from '../../../../directory/sorted-page.ts';
import { PublicError } from '../../../base/errors.ts';
import type { Reply } from '../../../base/reply.ts';
import { createEntry, readModelHas, updateEntry } from '../../directory/write-entries.ts';
import {
  type ApprovedRequest,
  defineChange,
  defineRead,
  type GatewayContext,
} from '../../operation/operation.ts';
import { listed, listHeaders, listScope } from '../lists.ts';
import {
  allowedBrandsOf,
  normalConfiguration,
  overriddenConfiguration,
  ownConfiguration,
  requireDiversion,
  validConfiguration,
} from './shared/configuration-input.ts';
import { expectedVersion } from './shared/expected-version.ts';
import { configurationWarnings, warningHeaders } from './shared/lane-answers.ts';
import { mayRead, requireAllowed, requireOwner } from './shared/owner-access.ts';

const templatePath = z.strictObject({ owner_id: ownerField, template_id: ownIdField });

/** Templates in pages, filtered by owner, part of a name, and whether they are retired. */
export const listTemplatesOperation = defineRead('read', {
  id: 'templates.list',
  name: 'List templates',
  route: 'GET /config/templates',
  input: {
    query: cursorQuery(['id', 'name', 'owner_id', 'created'], {
      owner_id: ownerField.optional(),
      name: nameFilter,
      retired: z.enum(['true', 'false']).optional(),
    }),
  },
  output: z.array(templateShape),
  refusals: [404],
  answerHeaders: listHeaders,
  async handle({ principal, query }, context) {
    if (query.owner_id !== undefined) requireOwner(context, principal, 'read', query.owner_id);
    const scope = listScope(principal, query.owner_id, (template: TemplateEntry) => template.owner);
    const { templates } = context.directory.entries;
    const text = named(query.name);
    const isWanted = ({ retired }: TemplateEntry) => String(retired) === query.retired;
    const matches = allOf(scope.matches, query.retired === undefined ? null : isWanted);
    const { page, headers } = await listed(templates, 'id', query, { ...scope, matches, text });
    return { status: 200, headers, body: page.map(templateView) };
  },
});

/**
 * A configuration to make instances from, checked by the engine; X-Configuration-Warnings has its costs and
 * risks. `config_invalid` names all faults. docs/rules/http.md "Templates and instances"
 */
export const createTemplateOperation = defineChange('configure', {
  id: 'templates.create',
  name: 'Create a template',
  route: 'POST /config/templates',
  input: { body: newTemplate },
  output: templateShape,
  refusals: [404, 409],
  answerHeaders: ['X-Configuration-Warnings'],
  status: 201,
  async handle({ principal, body }, context) {
    const { owner_id: owner, id, name } = body;
    requireOwner(context, principal, 'configure', owner);
    const { description, retired } = body;
    const about = { name, description: description ?? '', retired: retired ?? false };
    const made = { owner, id, ...about, configuration: body };
    return makeTemplate(context, principal, made, null);
  },
});

/**
 * The same configuration under another id, in its first version. The caller reads the one and configures the
 * owner of the other.
 */
export const copyTemplateOperation = defineChange('configure', {
  id: 'templates.copy',
  name: 'Copy a template',
  route: 'POST /config/templates/{owner_id}/{template_id}/copies',
  input: { params: templatePath, body: templateCopy },
  output: templateShape,
  refusals: [404, 409],
  answerHeaders: ['X-Configuration-Warnings'],
  status: 201,
  async handle({ principal, params, body }, context) {
    const template = requireTemplate(context, principal, params.owner_id, params.template_id);
    const owner = body.owner_id ?? template.owner;
    requireOwner(context, principal, 'configure', owner);
    const { description } = template;
    const configuration = validConfiguration(template.configuration);
    const about = { name: body.name ?? template.name, description, retired: false };
    const made = { owner, id: body.id, ...about, configuration };
    return makeTemplate(context, principal, made, ownConfiguration(template, owner));
  },
});

type NewTemplate = Omit<TemplateEntry, 'kind' | 'created_timestamp' | 'version'>;

/** `before`: whose diversion was judged already. */
async function makeTemplate(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  { owner, id, name, description, retired, configuration: parsed }: NewTemplate,
  before: TemplateEntry['configuration'] | null,
): Promise<Reply> {
  const { directory, lanes, clock } = context;
  if (directory.entries.templates.has(ownedKey(owner, id))) throw new PublicError('already_exists');
  const configuration = normalConfiguration(context, parsed, owner);
  requireDiversion(context, principal, owner, before, configuration);
  const lane = lanes.laneOf(operatorOf(owner));
  const warnings = await configurationWarnings(context, { principal, lane, configuration });
  const value = {
    name,
    description,
    created_timestamp: clock.nowMs(),
    version: 1,
    retired,
    configuration: { ...configuration },
  };
  const revision = await createEntry(context, 'template', directoryKey.template(owner, id), value);
  if (revision === null) throw new PublicError('already_exists');
  await readModelHas(context, revision);
  const view = templateView({ kind: 'template', owner, id, ...value });
  return { status: 201, headers: warningHeaders(warnings), body: view };
}

/**
 * Its names, whether it is retired, and members of its configuration, merged as overrides are. What was made
 * from it stays as it is. Without If-Match it must not have changed since it was merged.
 */
export const changeTemplateOperation = defineChange('configure', {
  id: 'templates.change',
  name: 'Change a template',
  route: 'PATCH /config/templates/{owner_id}/{template_id}',
  input: { params: templatePath, body: templateChange },
  output: templateShape,
  refusals: [404, 409],
  headers: ['If-Match'],
  answerHeaders: ['X-Configuration-Warnings'],
  async handle({ principal, params, body, headers }, context) {
    const { owner_id: owner, template_id: id } = params;
    const expected = expectedVersion(headers);
    requireAllowed(principal, 'configure', owner, 'template_not_found');
    const template = requireTemplate(context, principal, owner, id);
    if (expected !== null && expected !== template.version)
      throw new PublicError('version_conflict', hasChanged);
    const { name, description, retired, ...overrides } = body;
    const isConfigured = Object.keys(overrides).length > 0;
    if (!isConfigured && (name ?? description ?? retired ?? null) === null)
      return { status: 200, body: templateView(template) };
    const { configuration, warnings } = isConfigured
      ? await reconfigured(context, principal, template, overrides)
      : { ...template, warnings: [] };
    const changed = {
      ...template,
      name: name ?? template.name,
      description: description ?? template.description,
      retired: retired ?? template.retired,
      version: template.version + 1,
      configuration: { ...configuration },
    };
    const revision = await updateEntry(context, 'template', directoryKey.template(owner, id), (current) => {
      if (current === null) throw new PublicError('template_not_found');
      if (current.version !== template.version) throw new PublicError('version_conflict', hasChanged);
      return changed;
    });
    await readModelHas(context, revision);
    return { status: 200, headers: warningHeaders(warnings), body: templateView(changed) };
  },
});

const hasChanged = 'The template has changed since that version.';

/** The template's configuration with overrides on top, checked as a new one is. @throws PublicError */
async function reconfigured(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  { owner, configuration: before }: TemplateEntry,
  overrides: Readonly<Record<string, unknown>>,
) {
  const configuration = normalConfiguration(context, overriddenConfiguration(before, overrides), owner);
  if (divertsElsewhere(before, configuration))
    requireDiversion(context, principal, owner, before, configuration);
  const lane = context.lanes.laneOf(operatorOf(owner));
  const allowedBefore = allowedBrandsOf(before);
  const warnings = await configurationWarnings(context, { principal, lane, configuration, allowedBefore });
  return { configuration, warnings };
}

/** One template. A foreign one is `template_not_found`. */
export const readTemplateOperation = defineRead('read', {
  id: 'templates.read',
  name: 'Get a template',
  route: 'GET /config/templates/{owner_id}/{template_id}',
  input: { params: templatePath },
  output: templateShape,
  refusals: [404],
  async handle({ principal, params }, { directory }) {
    requireAllowed(principal, 'read', params.owner_id, 'template_not_found');
    const template = directory.entries.templates.get(ownedKey(params.owner_id, params.template_id));
    if (template === undefined) throw new PublicError('template_not_found');
    return { status: 200, body: templateView(template) };
  },
});

/** A template that exists and that the caller may read. */
export function requireTemplate(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  owner: string,
  id: string,
): TemplateEntry {
  const template = context.directory.entries.templates.get(ownedKey(owner, id));
  if (template === undefined || !mayRead(principal, owner)) throw new PublicError('template_not_found');
  return template;
}

/**
 * Refuses a template that nothing new is made from, and to an approval what it was not proposed with
 * (docs/rules/approvals.md "Configurations"). @throws PublicError template_retired, version_conflict
 */
export async function requireAsProposed(
  { retired, version }: TemplateEntry,
  approved: ApprovedRequest | null,
): Promise<void> {
  if (retired) throw new PublicError('template_retired');
  // Proposals of the release before name no version: its templates have the first one for good.
  if (approved !== null && (await approved.fence('template', 1)) !== version)
    throw new PublicError('version_conflict', hasChanged);
}

/** A template as it is shown (docs/rules/http.md "Templates and instances"). */
function templateView(template: TemplateEntry): Record<string, unknown> {
  return {
    owner_id: template.owner,
    id: template.id,
    name: template.name,
    description: template.description,
    retired: template.retired,
    version: template.version,
    ...configurationView(template.configuration),
  };
}
