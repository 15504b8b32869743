import type { AccessListEntry } from '@tetrad/types';
import type { ForkRules } from '../genesis/forks.js';

/** Gas of a transaction before its first opcode. Source: Yellow Paper, appendix G, and the EIPs named. */
const GAS = {
  transaction: 21_000n,
  creation: 32_000n,
  zeroByte: 4n,
  /** EIP-2028, from Istanbul; 68 before. */
  nonZeroByte: 16n,
  nonZeroByteBeforeIstanbul: 68n,
  /** EIP-3860, from Shanghai. */
  initCodeWord: 2n,
  /** EIP-2930. */
  accessListAddress: 2_400n,
  accessListSlot: 1_900n,
  /** EIP-7623, from Prague: floor per token; a non-zero byte is four tokens. */
  floorToken: 10n,
} as const;

/** Bytes of deployed code where the genesis says nothing else. EIP-170; init code may be twice that (EIP-3860). */
export const DEFAULT_MAX_CODE_SIZE = 24_576;

/** Gas limit of one transaction. EIP-7825, from Osaka. */
export const MAX_TRANSACTION_GAS = 2n ** 24n;

export interface GasSubject {
  readonly creation: boolean;
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
}

/** Gas that is taken before execution begins. */
export function intrinsicGas({ creation, data, accessList }: GasSubject, rules: ForkRules): bigint {
  const zeros = countZeros(data);
  const perByte = rules.has('istanbul') ? GAS.nonZeroByte : GAS.nonZeroByteBeforeIstanbul;
  let gas = GAS.transaction + zeros * GAS.zeroByte + (BigInt(data.length) - zeros) * perByte;
  if (creation && rules.has('homestead')) gas += GAS.creation;
  if (creation && rules.has('shanghai')) gas += BigInt(Math.ceil(data.length / 32)) * GAS.initCodeWord;
  for (const { storageKeys } of accessList) {
    gas += GAS.accessListAddress + BigInt(storageKeys.length) * GAS.accessListSlot;
  }
  return gas;
}

/** Least gas that the data costs, however little is executed; 0 before Prague. */
export function floorGas({ data }: GasSubject, rules: ForkRules): bigint {
  if (!rules.has('prague')) return 0n;
  const zeros = countZeros(data);
  const tokens = zeros + (BigInt(data.length) - zeros) * 4n;
  return GAS.transaction + tokens * GAS.floorToken;
}

/** Least gas limit with which the transaction is valid. */
export function minimumGas(subject: GasSubject, rules: ForkRules): bigint {
  const intrinsic = intrinsicGas(subject, rules);
  const floor = floorGas(subject, rules);
  return floor > intrinsic ? floor : intrinsic;
}

function countZeros(data: Uint8Array): bigint {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros++;
  return BigInt(zeros);
}
