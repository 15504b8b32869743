import { call } from '@tetrad/node-execution';
import type { StateAfterBlock } from '@tetrad/node-ledger';
import { addressFromBytes, bytesFromHex, type Address } from '@tetrad/types';

/** Selector of `getValidators() view returns (address[])` (docs/spec/bft.md#validator-contracts). */
const GET_VALIDATORS = bytesFromHex('0xb7ab4db5');

/** A consensus rule, like the limit below: every node must get the same answer. */
const CALL_GAS = 50_000_000n;
const MAX_VALIDATORS = 1_000;
const WORD = 32;

/**
 * The validators that a contract names in a state.
 * @returns undefined when the call fails, or its answer is not a list of 1 to 1,000 addresses (docs/adr/0102)
 */
export async function readValidatorContract(
  { executor, block, world }: StateAfterBlock,
  contract: Address,
): Promise<readonly Address[] | undefined> {
  const request = { to: contract, data: GET_VALIDATORS, gas: CALL_GAS };
  const { returnData, failure } = await call({ executor, block, world: world.copy() }, request);
  return failure === undefined ? decodeAddresses(returnData) : undefined;
}

/** ABI layout of address[]: offset (32, always 32) ‖ count (32) ‖ [zeros (12) ‖ address (20)]… */
function decodeAddresses(returnData: Uint8Array): readonly Address[] | undefined {
  const words = Array.from({ length: Math.min(returnData.length / WORD, MAX_VALIDATORS + 3) }, (_, index) =>
    Buffer.from(returnData.subarray(index * WORD, (index + 1) * WORD)),
  );
  const [offset, count, ...members] = words;
  if (offset === undefined || count === undefined || numberOf(offset) !== WORD) return undefined;
  const isWhole =
    members.length > 0 && members.length <= MAX_VALIDATORS && numberOf(count) === members.length;
  if (!isWhole || members.some((word) => word.subarray(0, 12).some((byte) => byte !== 0))) return undefined;
  return members.map((word) => addressFromBytes(word.subarray(12)));
}

/** A word as a number; NaN when it is beyond what a list can hold. */
function numberOf(word: Buffer): number {
  return word.subarray(0, WORD - 4).some((byte) => byte !== 0) ? Number.NaN : word.readUInt32BE(WORD - 4);
}
