import { timeText } from '../../src/cli/terminal/table.ts';
import type { CheckResult, Report, ReportedDraw, ReportedEvaluation } from '../../verifier/src/index.ts';

const stateText: Readonly<Record<CheckResult['state'], string>> = {
  verified: 'VERIFIED',
  failed: 'FAILED',
  'not-finished': 'unfinished',
  'not-checked': 'not checked',
};
const stateWidth = 12;
const titleWidth = 22;
const atomDigits = 8;

/** The report of one epoch for a person. */
export function reportText(report: Report): string {
  const { counts, currency, epoch, failure, firstSequence, instance, lastSequence } = report;
  const numbers = lastSequence === null ? 'no numbers' : `numbers ${firstSequence} to ${lastSequence}`;
  const lines = [
    `Instance ${instance ?? 'unknown'}, epoch ${epoch ?? 'unknown'}, ${numbers}, ${currency ?? 'unknown currency'}`,
    ...report.checks.map(checkLine),
  ];
  if (report.draw !== null) lines.push('', ...drawLines(report.draw));
  if (failure === null) {
    const { contributions, draws, wins } = counts;
    lines.push(
      `VERIFIED  ${grouped(contributions)} contributions, ${grouped(draws)} draws, ${grouped(wins)} wins`,
    );
  } else {
    const place = failure.sequence === null ? '' : ` at number ${failure.sequence}`;
    lines.push(`FAILED${place}: ${failure.message}`);
  }
  return `${lines.join('\n')}\n`;
}

function checkLine({ detail, state, title }: CheckResult): string {
  return `  ${stateText[state].padEnd(stateWidth)}${title.padEnd(titleWidth)}${detail}`;
}

function drawLines(draw: ReportedDraw): readonly string[] {
  const lines = [
    `Number ${draw.sequence}, ${timeText(draw.timestampMs)}, contribution ${amountText(draw.contribution)}`,
  ];
  if (draw.contributionId !== null)
    lines.push(`  contribution ${draw.contributionId}, player ${draw.player}`);
  lines.push(`  message from number ${draw.messageFirstSequence}, inputs ${draw.inputsHash}`);
  if (draw.streamKey !== '') lines.push(`  key stream ${draw.streamKey}`);
  lines.push(...draw.evaluations.map(evaluationLine));
  if (draw.win !== null)
    lines.push(`  win ${amountText(String(draw.win.win))} of pot ${String(draw.win.pot)}`);
  return lines;
}

function evaluationLine(evaluation: ReportedEvaluation): string {
  const { den, lanes, num, outcome, pot, trigger, u, value } = evaluation;
  const drawn =
    lanes.length > 0
      ? `u ${u} of ${den}, wins below ${num}`
      : den === '0'
        ? 'no number'
        : `${num} of ${den}: sure`;
  return `  pot ${pot} (${amountText(value)}), ${trigger}: ${drawn}: ${outcome}`;
}

/** Atoms as units, exactly. */
function amountText(atoms: string): string {
  const digits = atoms.padStart(atomDigits + 1, '0');
  const decimals = digits.slice(-atomDigits).replace(/0+$/, '').padEnd(2, '0');
  return `${digits.slice(0, -atomDigits)}.${decimals}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}
