/** Parts of the trace that may be left out or asked for, as geth's debug_traceTransaction names them. */
export interface StructLogOptions {
  readonly disableStack?: boolean | undefined;
  readonly disableStorage?: boolean | undefined;
  readonly enableMemory?: boolean | undefined;
  readonly enableReturnData?: boolean | undefined;
  /** Steps after which the trace is cut; 0 for no limit. */
  readonly limit?: number | undefined;
}

/** One executed opcode. */
export interface StructLog {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  /** With the gas that a call hands on, without that of a creation. */
  gasCost: number;
  readonly depth: number;
  /** With what the opcode itself adds, as geth counts it. */
  refund?: number;
  /** Quantities, the top last. */
  readonly stack?: readonly string[];
  /** 32 bytes each, without 0x. */
  readonly memory?: readonly string[];
  /** What the last call of the frame gave back; absent when it is nothing. */
  readonly returnData?: Uint8Array;
  /** Slots that the contract has read or written so far, without 0x; only on the steps that do. */
  storage?: Readonly<Record<string, string>>;
  /** Why the step was the last one of its call. */
  error?: string;
}
