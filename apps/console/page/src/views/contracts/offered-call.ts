import type { FunctionEntry, Hex } from '../../abi/contract-abi.js';
import type { Network } from '../../api/shapes.js';

/** A function of a contract, with the file that says so. */
export interface Offered {
  readonly entry: FunctionEntry;
  readonly by: string;
}

/** The contract that is called, and the node that is asked. */
export interface OfContract {
  readonly network: Network;
  readonly node: string;
  readonly address: string;
}

/** A call that is ready to be sent: its data and its value in wei. */
export interface Prepared {
  readonly data: Hex;
  readonly value: bigint;
}
