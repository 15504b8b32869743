/** What an opcode says when it returns. */
export const SIGNAL = {
  /** Done; the next opcode runs. */
  next: 0,
  /** Done; another frame runs now, or none. */
  switched: 1,
  /** Not done and nothing changed: it runs again when the execution goes on. */
  again: 2,
  /** Not done and nothing changed: the precise loop runs it. */
  precise: 3,
  /** Begun; the EVM's `rest` ends it when the execution goes on. */
  begun: 4,
} as const;

export type Signal = (typeof SIGNAL)[keyof typeof SIGNAL];
