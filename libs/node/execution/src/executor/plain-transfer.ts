import { Account, Address as EvmAddress, KECCAK256_NULL } from '@ethereumjs/util';
import { addressToBytes, type SignedTransaction } from '@tetrad/types';
import type { ForkRules } from '../genesis/forks.js';
import type { WorldState } from '../state/world-state.js';
import type { BlockContext } from './block-context.js';
import { accessListOf, effectiveGasPrice } from './executable-transaction.js';
import { minimumGas } from './intrinsic-gas.js';

const NO_DATA = new Uint8Array(0);
const MAX_BALANCE = 2n ** 256n - 1n;

/** Addresses of precompiles, of this and of later forks, start with 18 zero bytes; the EVM runs calls to them. */
const RESERVED_PREFIX = `0x${'00'.repeat(18)}`;

/**
 * Moves the value of a transaction whose target has no code, without starting the EVM.
 *
 * Most transactions of a payment network are such. The result is the EVM's to the last bit, which a test holds
 * against it; whatever is not plainly a transfer is left to the EVM.
 *
 * In:  a transaction that may be part of the block
 * Out: gas used, or undefined when the EVM must run it; the world is untouched then
 */
export async function tryPlainTransfer(
  transaction: SignedTransaction,
  world: WorldState,
  { block, rules }: { block: BlockContext; rules: ForkRules },
): Promise<bigint | undefined> {
  const { to, value, data } = transaction;
  // Before Spurious Dragon empty accounts stay in the state, which is another bookkeeping than the one below.
  if (to === undefined || !rules.has('spuriousDragon') || to.startsWith(RESERVED_PREFIX)) return undefined;
  const target = new EvmAddress(addressToBytes(to));
  const targetAccount = await world.getAccount(target);
  if (targetAccount !== undefined) {
    if (Buffer.compare(targetAccount.codeHash, KECCAK256_NULL) !== 0) return undefined;
    if (targetAccount.balance + value > MAX_BALANCE) return undefined;
  }
  const gasUsed = minimumGas({ creation: false, data, accessList: accessListOf(transaction) }, rules);
  const price = effectiveGasPrice(transaction, block.baseFeePerGas);
  const sender = new EvmAddress(addressToBytes(transaction.sender));
  const account = (await world.getAccount(sender)) ?? new Account();
  account.nonce += 1n;
  account.balance -= value + gasUsed * price;
  await world.putAccount(sender, account);
  await credit(world, target, value);
  // The base fee is burnt; from London on only what is above it goes to the proposer.
  const tip = price - (block.baseFeePerGas ?? 0n);
  await credit(world, new EvmAddress(addressToBytes(block.proposer)), gasUsed * tip);
  return gasUsed;
}

/** What a plain transfer returns. */
export const TRANSFER_RESULT = { logs: [], returnData: NO_DATA } as const;

/** Adds to a balance; an account that is touched and left empty is removed (EIP-161). */
async function credit(world: WorldState, address: EvmAddress, wei: bigint): Promise<void> {
  const existing = await world.getAccount(address);
  const account = existing ?? new Account();
  account.balance += wei;
  if (!account.isEmpty()) return world.putAccount(address, account);
  if (existing !== undefined) await world.deleteAccount(address);
}
