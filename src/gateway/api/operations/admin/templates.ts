import * as z from 'zod';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import { configurationView } from '../../../../contracts/configuration/document-view.ts';
import { newTemplate, templateShape } from '../../../../contracts/configuration/template.ts';
import { directoryKey } from '../../../../contracts/directory/directory-keys.ts';
import { ownerField, ownIdField } from '../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { cursorQuery, nameFilter } from '../../../../contracts/fields/lists.ts';
import { ownedKey, type TemplateEntry } from '../../../../directory/owners.ts';
import { named } from '../../../../directory/sorted-page.ts';
import { PublicError } from '../../../base/errors.ts';
import { createEntry, readModelHas } from '../../directory/write-entries.ts';
import { defineChange, defineRead, type GatewayContext } from '../../operation/operation.ts';
import { listed, listHeaders, listScope } from '../lists.ts';
import { normalConfiguration, requireDiversion } from './shared/configuration-input.ts';
import { configurationWarnings, warningHeaders } from './shared/lane-answers.ts';
import { mayRead, requireAllowed, requireOwner } from './shared/owner-access.ts';

/** Templates in pages, filtered by owner and part of a name. */
export const listTemplatesOperation = defineRead('read', {
  id: 'templates.list',
  name: 'List templates',
  route: 'GET /config/templates',
  input: {
    query: cursorQuery(['id', 'name', 'owner_id', 'created'], {
      owner_id: ownerField.optional(),
      name: nameFilter,
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
    const { page, headers } = await listed(templates, 'id', query, { ...scope, text });
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
    const { owner_id, id, name } = body;
    const { directory, lanes, clock } = context;
    requireOwner(context, principal, 'configure', owner_id);
    if (directory.entries.templates.has(ownedKey(owner_id, id))) throw new PublicError('already_exists');
    const configuration = normalConfiguration(context, body, owner_id);
    requireDiversion(context, principal, owner_id, null, configuration);
    const lane = lanes.laneOf(operatorOf(owner_id));
    const warnings = await configurationWarnings(context, { principal, lane, configuration });
    const value = {
      name,
      description: body.description ?? '',
      created_timestamp: clock.nowMs(),
      configuration: { ...configuration },
    };
    const revision = await createEntry(context, 'template', directoryKey.template(owner_id, id), value);
    if (revision === null) throw new PublicError('already_exists');
    await readModelHas(context, revision);
    const view = templateView({ kind: 'template', owner: owner_id, id, ...value });
    return { status: 201, headers: warningHeaders(warnings), body: view };
  },
});

/** One template. A foreign one is `template_not_found`. */
export const readTemplateOperation = defineRead('read', {
  id: 'templates.read',
  name: 'Get a template',
  route: 'GET /config/templates/{owner_id}/{template_id}',
  input: { params: z.strictObject({ owner_id: ownerField, template_id: ownIdField }) },
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

/** A template as it is shown (docs/rules/http.md "Templates and instances"). */
function templateView(template: TemplateEntry): Record<string, unknown> {
  return {
    owner_id: template.owner,
    id: template.id,
    name: template.name,
    description: template.description,
    ...configurationView(template.configuration),
  };
}
