/** Optional parts of the trace, with the names of geth's debug_traceTransaction. */
export interface StructLogOptions {
  readonly disableStack?: boolean | undefined;
  readonly disableStorage?: boolean | undefined;
  readonly enableMemory?: boolean | undefined;
  readonly enableReturnData?: boolean | undefined;
  /** Steps after which the trace is cut; 0 for no limit. */
  readonly limit?: number | undefined;
}

/** How the record of an execution is written: as by geth 1.16, or as by geth 1.10 and GoQuorum. */
export type StructForm = 'geth' | 'goquorum';

/** One executed opcode. */
export interface StructLog {
  readonly pc: number;
  op: string;
  /** Gas left before the opcode. */
  readonly gas: number;
  /** Includes gas forwarded by a call, excludes gas forwarded by a creation. */
  gasCost: number;
  /** Call depth; 1 for the outermost call. */
  readonly depth: number;
  /** With what the opcode itself adds, as geth counts it. */
  refund?: number;
  /** Quantities, the top last. */
  readonly stack?: readonly string[];
  /** 32 bytes each, without 0x. */
  memory?: readonly string[];
  /** Return data of the last call of the frame; absent when empty. */
  readonly returnData?: Uint8Array;
  /** Slots that the contract has read or written so far, without 0x; only on the steps that do. */
  storage?: Readonly<Record<string, string>>;
  /** Why the step was the last one of its call. */
  error?: string;
}
