import { EMPTY_KECCAK } from '@tetrad/crypto';
import {
  createExecutor,
  decodeTransaction,
  defaultGenesis,
  parseGenesis,
  type AccountState,
} from '@tetrad/node-execution';
import { signTransaction, type UnsignedTransaction } from '@tetrad/transactions';
import { RequestError, ZERO_ADDRESS, ZERO_HASH, type SignedTransaction } from '@tetrad/types';
import { createPoolEntry, type PoolEntry } from '../src/pool-entry.js';
import { completePoolLimits, type PoolLimits } from '../src/pool-limits.js';
import type { PoolContext } from '../src/rules/pool-rule.js';

const CHAIN_ID = 1337n;
const settings = {
  chainId: 1337,
  extraData: '0x',
  engine: 'qbft',
  blockPeriodMs: 1000,
  balances: new Map(),
} as const;

type Changes = Partial<UnsignedTransaction> & { readonly dataBytes?: number; readonly sender?: number };

/** A free transfer of the first sender, nonce 0, with what is different. */
export function transaction({ dataBytes = 0, sender = 1, ...rest }: Changes = {}): SignedTransaction {
  const data = new Uint8Array(dataBytes);
  const usual = { chainId: CHAIN_ID, nonce: 0n, gasLimit: 21_000n, to: ZERO_ADDRESS, value: 0n, data };
  const content = { ...usual, fees: { type: 'legacy', gasPrice: 0n } as const, ...rest };
  return decodeTransaction(signTransaction(content, new Uint8Array(32).fill(sender)), CHAIN_ID);
}

let sequence = 0;
export function entry(changes: Changes = {}): PoolEntry {
  return { ...createPoolEntry(transaction(changes), { sequence: sequence++, enteredMs: 0 }), durable: true };
}

export function account(changes: Partial<AccountState>): AccountState {
  return { balance: 100n, nonce: 5n, codeHash: EMPTY_KECCAK, storageRoot: ZERO_HASH, ...changes };
}

/** Block 1 of a chain with all forks, or without those from Berlin on; blocks of 10,000,000 gas. */
export function context(limits: Partial<PoolLimits> = {}, isLondon = true): PoolContext {
  const json = defaultGenesis(settings);
  const config = json['config'] as object;
  // Forks by time come after those by block.
  const early = Object.fromEntries(Object.entries(config).filter(([key]) => !key.endsWith('Time')));
  const old = { ...early, berlinBlock: 100, londonBlock: 100 };
  const genesis = parseGenesis({ ...json, config: isLondon ? config : old });
  const block = { number: 1, timestamp: 1 };
  return {
    block,
    rules: createExecutor(genesis).rules(block),
    blockGasLimit: 10_000_000n,
    limits: completePoolLimits(limits),
  };
}

/** Reason and text of the rejection, or that there was none. */
export function rejection(check: () => void): [string, string] | 'accepted' {
  try {
    check();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return [error.code, error.message];
  }
}
