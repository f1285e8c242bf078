/** What an audit can find in a lane: the closed list, with its explanation for a person. */
export const findingTexts = {
  commands_missing: 'Command messages are gone or cannot be read.',
  command_unreadable: 'A command message is damaged: its checksum or its form is wrong.',
  not_applied: 'The engine threw while it applied a command message.',
  outcomes_missing: 'Outcome records are gone or cannot be read.',
  outcome_damaged: 'An outcome record is damaged, or somebody without permission wrote it.',
  outcome_differs: 'An outcome record is not the one that follows from the commands.',
  head_differs: 'The lane head of an outcome record is not the one that follows from the commands.',
  snapshot_torn: 'A snapshot is torn or altered: its checksum is wrong.',
  snapshot_unusable: 'A snapshot is whole, but no state can be restored from it.',
  snapshot_differs: 'A snapshot is not the state that follows from the commands.',
  books_unbalanced: 'The accounts of an instance do not sum to zero.',
  not_replayable: 'The command log begins behind its first message, and no snapshot leads to it.',
} as const satisfies Readonly<Record<string, string>>;

type FindingCode = keyof typeof findingTexts;

/** Something wrong at the sequences `from` to `to` of the lane. */
export interface AuditFinding {
  readonly code: FindingCode;
  readonly from: number;
  readonly to: number;
  readonly detail: string;
}

const maxFindings = 100;

/** Collects findings. Those of one code at sequences that follow each other become one. */
export class Findings {
  readonly #findings: AuditFinding[] = [];
  #more = 0;

  get all(): readonly AuditFinding[] {
    return this.#findings.toSorted((a, b) => a.from - b.from);
  }

  get more(): number {
    return this.#more;
  }

  add(code: FindingCode, from: number, to: number, detail = ''): void {
    const index = this.#findings.findLastIndex((each) => each.code === code);
    const last = this.#findings[index];
    if (last !== undefined && last.to + 1 === from && last.detail === detail)
      this.#findings[index] = { ...last, to };
    else if (this.#findings.length < maxFindings) this.#findings.push({ code, from, to, detail });
    else this.#more += 1;
  }
}
