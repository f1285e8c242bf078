import { newTemplate, templateShape } from '../../../../../contracts/configuration/template.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { ownedKey } from '../../../../../directory/owners.ts';
import { PublicError } from '../../../../base/errors.ts';
import { createEntry, readModelHas } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { normalConfiguration } from '../shared/configuration-input.ts';
import { requireDiversion } from '../shared/diversion.ts';
import { configurationWarnings, warningHeaders } from '../shared/lane-answers.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { templateView } from './template-view.ts';

/**
 * A configuration to make instances from. The engine checks it before it is stored; what it costs or risks is in
 * X-Configuration-Warnings. `config_invalid` names all faults. docs/rules/http.md "Templates and instances"
 */
export const createTemplateOperation = defineOperation({
  id: 'templates.create',
  name: 'Create a template',
  method: 'POST',
  path: '/config/templates',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
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
