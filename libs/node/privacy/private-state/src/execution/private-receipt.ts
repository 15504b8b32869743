import { logsBloom } from '@tetrad/node-block';
import type { Address, Log } from '@tetrad/types';

/** The receipt of a private transaction on this node. */
export interface PrivateReceipt {
  readonly status: 0 | 1;
  readonly logs: readonly Log[];
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
  /** Set for a creation, also for one that failed. */
  readonly contractAddress?: Address;
  readonly returnData: Uint8Array;
  /** By the message, without the intrinsic gas that the transaction in the block pays. */
  readonly gasUsed: bigint;
  /** Private contracts that the execution entered, created or named, also in frames that were reverted; ascending. */
  readonly entered: readonly Address[];
  /** Why the status is 0. */
  readonly failure?: string;
}

/** The receipt of an outcome. Logs of a failed execution are dropped. */
export function privateReceipt(
  outcome: {
    readonly logs: readonly Log[];
    readonly output: Uint8Array;
    readonly failure: string | undefined;
    readonly gasUsed: number;
    readonly entered: readonly Address[];
  },
  contractAddress: Address | undefined,
): PrivateReceipt {
  const { output, failure, gasUsed, entered } = outcome;
  const logs = failure === undefined ? outcome.logs : [];
  return {
    status: failure === undefined ? 1 : 0,
    logs,
    logsBloom: logsBloom(logs),
    returnData: output,
    gasUsed: BigInt(gasUsed),
    entered,
    ...(contractAddress === undefined ? {} : { contractAddress }),
    ...(failure === undefined ? {} : { failure }),
  };
}
