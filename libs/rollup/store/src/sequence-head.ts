/** Where the sequence stands. */
export interface SequenceHead {
  /** Grows with every change of the sequence: what was kept in memory is current while it is the same. */
  readonly version: number;
  readonly nextAccountId: number;
  /** The batch that takes what is executed next, and its first free place. */
  readonly openHeight: number;
  readonly openIndex: number;
  /** Index of the first deposit that no batch has taken. */
  readonly nextInbound: number;
  /** The highest batch whose trees are written. */
  readonly assembledHeight: number;
}
