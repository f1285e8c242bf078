/** Work that is cut into steps: the lane's owner writes a Continue command for each. */
export interface Job {
  /** Names the work in Continue commands and does not change. */
  readonly job: string;
  /** The step that comes next. */
  readonly step: number;
  /** Steps that one message may do: a step with many announcements takes a message alone. */
  readonly stepsPerMessage: number;
}
