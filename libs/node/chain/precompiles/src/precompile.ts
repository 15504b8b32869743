/** Output of a precompile; undefined when it fails, which takes all gas of the call. */
export type PrecompileOutput = Uint8Array | undefined;

/** How long work is aborted, and how it yields to other work. */
export interface Pace {
  /** Ends the work with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Waited for between two slices, in place of one turn of the event loop. */
  readonly giveWay?: (() => Promise<void>) | undefined;
}

/** A contract that is part of the rules. Gas and output are functions of the input alone. */
export interface Precompile {
  /** Gas for the input, Infinity for more than any call has. Must be cheap whatever the input. */
  gas(input: Uint8Array): number;
  /**
   * Runs on an input that is paid for.
   *
   * Work that takes longer than a slice of time returns a promise and yields to other work between slices.
   * The signal of the pace aborts the work: the promise then fails with its reason.
   * The input is a view that is valid until the call returns.
   */
  run(input: Uint8Array, pace?: Pace): PrecompileOutput | Promise<PrecompileOutput>;
}

/** Forks in the order of Ethereum mainnet. */
export const FORK_NAMES = [
  'chainstart',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const;

export type ForkName = (typeof FORK_NAMES)[number];

/** The precompiles of each fork by address. */
export interface Precompiles {
  of(fork: ForkName): ReadonlyMap<number | bigint, Precompile>;
}
