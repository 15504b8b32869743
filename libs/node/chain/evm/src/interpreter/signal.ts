/** Result of an opcode handler. */
export const SIGNAL = {
  /** Done; the next opcode runs. */
  next: 0,
  /** Done; another frame runs now, or none. */
  switched: 1,
  /** Not done and nothing changed: it runs again when the execution resumes. */
  again: 2,
  /** Not done and nothing changed: the precise loop runs it. */
  precise: 3,
  /** Begun; the EVM's `rest` ends it when the execution resumes. */
  begun: 4,
} as const;

export type Signal = (typeof SIGNAL)[keyof typeof SIGNAL];
