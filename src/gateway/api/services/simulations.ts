import {
  decodeSimulationAnswer,
  encodeSimulationMessage,
  type SimulationAnswer,
  type SimulationQuestion,
  simulatingProcess,
} from '../../../contracts/reports/simulations.ts';
import { type Bus, LogError } from '../../../ports.ts';
import { PublicError } from '../../base/errors.ts';

/**
 * Asks the role that plays simulations; those of a process that has ended are missing.
 * @throws PublicError overloaded where none answers, or too many wait
 */
export type AskSimulations = (
  question: SimulationQuestion,
) => Promise<Exclude<SimulationAnswer, { readonly kind: 'full' }>>;

const simulationTimeoutMs = 3_000;

export function askSimulations(
  bus: Pick<Bus, 'request' | 'hasListener'>,
  subjectOf: (process?: string) => string,
): AskSimulations {
  return async (question) => {
    const subject = question.kind === 'begin' ? subjectOf() : subjectOf(simulatingProcess(question.id));
    const answer = await bus
      .request(subject, encodeSimulationMessage(question), simulationTimeoutMs)
      .then(decodeSimulationAnswer, (error: unknown) => {
        if (error instanceof LogError) return null;
        throw error;
      });
    if (answer?.kind === 'full')
      throw new PublicError('overloaded', 'Too many simulations wait: begin this one in a minute.');
    if (answer !== null) return answer;
    if (question.kind !== 'begin' && !(await bus.hasListener(subject, simulationTimeoutMs)))
      return { kind: 'missing' };
    throw new PublicError('overloaded', 'No process that plays simulations answers.');
  };
}
