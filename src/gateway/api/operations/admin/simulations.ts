import * as z from 'zod';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import {
  newSimulation,
  type SimulationAnswer,
  simulationIdField,
  simulationShape,
} from '../../../../contracts/reports/simulations.ts';
import { minorUnitExponent } from '../../../../lib/currencies.ts';
import type { InstanceConfigurationDocument } from '../../../../messages/instance-commands.ts';
import { PublicError } from '../../../base/errors.ts';
import { defineChange, defineRead, type GatewayContext } from '../../operation/operation.ts';
import { normalConfiguration, validConfiguration } from './shared/configuration-input.ts';
import { configurationWarnings, warningHeaders } from './shared/lane-answers.ts';
import { mayRead, requireOwner } from './shared/owner-access.ts';
import { requireTemplate } from './templates.ts';

const defaults = { players: 1_000, contributions_per_second: 1, seed: '1' };
const simulationPath = z.strictObject({ simulation_id: simulationIdField });

/**
 * Plays a template, or a configuration that is not stored, on the engine: what it pays, costs and risks.
 * Changes nothing. A new simulation ends the caller's last one, unless that is over.
 */
export const beginSimulationOperation = defineChange('read', {
  id: 'simulations.begin',
  name: 'Simulate a configuration',
  route: 'POST /config/simulations',
  input: { body: newSimulation },
  output: simulationShape,
  refusals: [404],
  answerHeaders: ['X-Configuration-Warnings'],
  status: 202,
  audited: false,
  async handle({ principal, body }, context) {
    const { owner_id: owner, template_id: id, configuration: given } = body;
    requireOwner(context, principal, 'read', owner);
    if ((id ?? null) === null ? (given ?? null) === null : (given ?? null) !== null)
      throw new PublicError('invalid_request', 'Either template_id or configuration.');
    const stored = (id ?? null) === null ? null : requireTemplate(context, principal, owner, id!);
    const parsed = stored === null ? given! : validConfiguration(stored.configuration);
    const configuration = withoutBrands(normalConfiguration(context, parsed, owner));
    const lane = context.lanes.laneOf(operatorOf(owner));
    const warnings = await configurationWarnings(context, { principal, lane, configuration });
    const plan = {
      configuration: { ...configuration },
      exponent: exponentOf(context, configuration.currency),
      contributions: body.contributions,
      players: body.players ?? defaults.players,
      perSecond: body.contributions_per_second ?? defaults.contributions_per_second,
      wager: body.contribution_amount ?? null,
      seed: body.seed ?? defaults.seed,
    };
    const begun = { kind: 'begin', account: principal.subject, owner, plan } as const;
    const view = viewOf(await context.simulations(begun), principal);
    return { status: 202, headers: warningHeaders(warnings), body: view };
  },
});

/** How far it is, and what it found, for an hour; other accounts' are missing. */
export const readSimulationOperation = defineRead('read', {
  id: 'simulations.read',
  name: 'Get a simulation',
  route: 'GET /config/simulations/{simulation_id}',
  input: { params: simulationPath },
  output: simulationShape,
  refusals: [404],
  async handle({ principal, params: { simulation_id: id } }, context) {
    const answer = await context.simulations({ kind: 'read', account: principal.subject, id });
    return { status: 200, body: viewOf(answer, principal) };
  },
});

/** Ends it, and forgets what it found. */
export const endSimulationOperation = defineChange('read', {
  id: 'simulations.end',
  name: 'End a simulation',
  route: 'DELETE /config/simulations/{simulation_id}',
  input: { params: simulationPath },
  refusals: [404],
  audited: false,
  async handle({ principal, params: { simulation_id: id } }, context) {
    viewOf(await context.simulations({ kind: 'end', account: principal.subject, id }), principal);
    return { status: 204 };
  },
});

/** Also missing to an account that may not read of its owner any more. */
function viewOf(answer: Exclude<SimulationAnswer, { kind: 'full' }>, principal: AdministratorPrincipal) {
  if (answer.kind === 'missing' || !mayRead(principal, answer.owner))
    throw new PublicError('simulation_not_found');
  return answer.simulation;
}

/** Who plays is made up: which brands there are is nobody's business here. */
function withoutBrands(configuration: InstanceConfigurationDocument): InstanceConfigurationDocument {
  const { allowed_brands: _, ...rules } = configuration.contribution_rules;
  return { ...configuration, contribution_rules: rules };
}

function exponentOf({ directory }: GatewayContext, currency: string): number | null {
  return minorUnitExponent(currency) === null ? (directory.rates('')?.exponents[currency] ?? null) : null;
}
