import { AbiCoder } from 'ethers/abi';

const ERROR_SELECTOR = '08c379a0';

/** The text of Solidity's `Error(string)`; undefined for anything else. */
export function revertReason(returnData: Uint8Array): string | undefined {
  const bytes = Buffer.from(returnData);
  if (bytes.subarray(0, 4).toString('hex') !== ERROR_SELECTOR) return undefined;
  try {
    return AbiCoder.defaultAbiCoder().decode(['string'], bytes.subarray(4))[0] as string;
  } catch {
    return undefined;
  }
}
