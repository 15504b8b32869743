import { keccakHash } from '@tetrad/crypto';
import { ForwardedError } from '@tetrad/rpc';
import type { Address, Hash } from '@tetrad/types';

/** What the bytes of these tests say: JSON instead of RLP, since nothing here reads more of a transaction. */
export interface TestTransaction {
  readonly account: Address;
  readonly nonce: string;
  /** Id of the send that asked for it. */
  readonly id: string;
  readonly gasPrice?: number;
}

export function encode(transaction: TestTransaction): { raw: Uint8Array; hash: Hash } {
  const raw = Buffer.from(JSON.stringify(transaction));
  return { raw, hash: keccakHash(raw) };
}

export function decode(raw: Uint8Array): TestTransaction {
  return JSON.parse(Buffer.from(raw).toString()) as TestTransaction;
}

interface Pooled {
  readonly hash: Hash;
  readonly transaction: TestTransaction;
}

class AccountState {
  readonly mined: Pooled[] = [];
  readonly pool = new Map<number, Pooled>();

  pendingCount(): number {
    let count = this.mined.length;
    while (this.pool.has(count)) count += 1;
    return count;
  }
}

/** Chains that were made, no two of which are the same. */
let chains = 0;

export interface StrictChainOptions {
  /** Whether nonces above the next one wait in the pool; otherwise they are refused. */
  readonly queues?: boolean;
}

/** A chain that holds to the rules of nonces, and remembers everything that it mined. */
export class StrictChain {
  private readonly accounts = new Map<Address, AccountState>();
  /** Hashes of pending and mined transactions. */
  private readonly known = new Set<Hash>();
  submissions = 0;
  /** Hash of block 0. */
  readonly genesis = keccakHash(Buffer.from(`genesis ${(chains += 1)}`));

  constructor(private readonly options: StrictChainOptions = {}) {}

  /** @throws ForwardedError in geth's words */
  submit(raw: Uint8Array): Hash {
    this.submissions += 1;
    const transaction = decode(raw);
    const hash = keccakHash(raw);
    const state = this.stateOf(transaction.account);
    const nonce = Number(transaction.nonce);
    const pooled = state.pool.get(nonce);
    if (pooled?.hash === hash) throw rejection('already known');
    const next = state.pendingCount();
    if (nonce < state.mined.length) {
      throw rejection(`nonce too low: next nonce ${state.mined.length}, tx nonce ${nonce}`);
    }
    if (pooled !== undefined && (transaction.gasPrice ?? 0) <= (pooled.transaction.gasPrice ?? 0)) {
      throw rejection('replacement transaction underpriced');
    }
    if (this.options.queues === false && nonce > next) throw rejection(`nonce too high: next nonce ${next}`);
    if (pooled !== undefined) this.known.delete(pooled.hash);
    state.pool.set(nonce, { hash, transaction });
    this.known.add(hash);
    return hash;
  }

  /** Puts what is next of every account into blocks. */
  mine(): void {
    for (const state of this.accounts.values()) {
      for (;;) {
        const next = state.pool.get(state.mined.length);
        if (next === undefined) break;
        state.pool.delete(state.mined.length);
        state.mined.push(next);
      }
    }
  }

  /** Takes the newest blocks back: their transactions are pending again, or lost where the client was restored. */
  takeBack(account: Address, blocks: number, { lost }: { readonly lost: boolean }): void {
    const state = this.stateOf(account);
    for (const pooled of state.mined.splice(Math.max(0, state.mined.length - blocks))) {
      if (lost) this.known.delete(pooled.hash);
      else state.pool.set(Number(pooled.transaction.nonce), pooled);
    }
  }

  /** Drops pending transactions, as a restarted client does. */
  dropPool(): void {
    for (const { pool } of this.accounts.values()) {
      for (const { hash } of pool.values()) this.known.delete(hash);
      pool.clear();
    }
  }

  pendingCount(account: Address): bigint {
    return BigInt(this.stateOf(account).pendingCount());
  }

  minedCount(account: Address): bigint {
    return BigInt(this.stateOf(account).mined.length);
  }

  /** In the order of nonces. */
  mined(account: Address): readonly Pooled[] {
    return this.stateOf(account).mined;
  }

  poolSize(account: Address): number {
    return this.stateOf(account).pool.size;
  }

  knows(hash: Hash): boolean {
    return this.known.has(hash);
  }

  private stateOf(account: Address): AccountState {
    const state = this.accounts.get(account) ?? new AccountState();
    this.accounts.set(account, state);
    return state;
  }
}

export function rejection(message: string, code = -32000): ForwardedError {
  return new ForwardedError({ code, message });
}
