import type { AccessListEntry } from '@tetrad/types';
import type { Rules } from '../forks/rules.js';

/** Gas of a transaction before its first opcode. Source: Yellow Paper, appendix G, and the EIPs named. */
const GAS = {
  transaction: 21_000,
  /** EIP-2. */
  creation: 32_000,
  zeroByte: 4,
  /** EIP-3860. */
  initCodeWord: 2,
  /** EIP-2930. */
  accessListAddress: 2_400,
  accessListSlot: 1_900,
  /** EIP-7623: the floor by token; a byte that is not zero is four tokens. */
  floorToken: 10,
} as const;

/** The parts of a message that are paid for in advance. */
export interface GasSubject {
  readonly creation: boolean;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
}

/** Gas of a message that does not depend on its execution. */
export interface MessageGas {
  /** Taken before execution begins. */
  readonly intrinsic: number;
  /** Minimum gas for the data (EIP-7623); 0 before that rule. */
  readonly floor: number;
}

/** Intrinsic gas and floor of a message under the rules. Cost: reads all of the data */
export function messageGas({ creation, data, accessList }: GasSubject, rules: Rules): MessageGas {
  const zeros = countZeros(data);
  const others = data.length - zeros;
  let intrinsic = GAS.transaction + zeros * GAS.zeroByte + others * rules.gas.dataByte;
  if (creation && rules.strictCreation) intrinsic += GAS.creation;
  if (creation && rules.limitedInitCode) intrinsic += Math.ceil(data.length / 32) * GAS.initCodeWord;
  for (const { storageKeys } of accessList) {
    intrinsic += GAS.accessListAddress + storageKeys.length * GAS.accessListSlot;
  }
  const floor = rules.dataFloor ? GAS.transaction + (zeros + others * 4) * GAS.floorToken : 0;
  return { intrinsic, floor };
}

function countZeros(data: Uint8Array): number {
  let zeros = 0;
  for (let at = 0; at < data.length; at++) if (data[at] === 0) zeros++;
  return zeros;
}
