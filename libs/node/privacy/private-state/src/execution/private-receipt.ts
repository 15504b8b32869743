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
  /** Why the status is 0. */
  readonly failure?: string;
}

/** The receipt of an outcome. Logs of a failed execution are dropped. */
export function privateReceipt(
  outcome: {
    readonly logs: readonly Log[];
    readonly output: Uint8Array;
    readonly failure: string | undefined;
  },
  contractAddress: Address | undefined,
): PrivateReceipt {
  const { output, failure } = outcome;
  const logs = failure === undefined ? outcome.logs : [];
  return {
    status: failure === undefined ? 1 : 0,
    logs,
    logsBloom: logsBloom(logs),
    returnData: output,
    ...(contractAddress === undefined ? {} : { contractAddress }),
    ...(failure === undefined ? {} : { failure }),
  };
}
