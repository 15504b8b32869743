import { messageGas, rulesOf, type ExecutionContext } from '@tetrad/node-evm';
import type { Ledger } from '@tetrad/node-ledger';
import { PAYLOAD_HASH_BYTES } from '@tetrad/node-private-state';

/** No hash of a payload costs more gas. */
const ANY_HASH = new Uint8Array(PAYLOAD_HASH_BYTES).fill(0xff);

/** Gas of a transaction that carries the data to an account without code. */
export function gasToCarry(data: Uint8Array, { fork }: Pick<ExecutionContext, 'fork'>): bigint {
  const { intrinsic, floor } = messageGas({ creation: false, data, accessList: [] }, rulesOf(fork));
  return BigInt(Math.max(intrinsic, floor));
}

/** The same in the block after the head. */
export function gasToCarryNext(
  data: Uint8Array,
  ledger: Pick<Ledger, 'contextOf' | 'executor' | 'head'>,
): bigint {
  const { number, timestamp } = ledger.contextOf(ledger.head().header);
  return gasToCarry(data, ledger.executor.rules({ number: number + 1, timestamp }));
}

/**
 * Gas to add to a limit so that a transaction with this data can carry the hash of a payload instead.
 *
 * Source: docs/spec/private-transactions.md#gas
 */
export function gasOfHash(data: Uint8Array, context: Pick<ExecutionContext, 'fork'>): bigint {
  const { intrinsic } = messageGas({ creation: false, data, accessList: [] }, rulesOf(context.fork));
  const more = gasToCarry(ANY_HASH, context) - BigInt(intrinsic);
  return more > 0n ? more : 0n;
}
