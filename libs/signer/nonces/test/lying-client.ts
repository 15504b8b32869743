import { keccakHash } from '@tetrad/crypto';
import type { Address, Hash } from '@tetrad/types';
import type { SequenceClient } from '../src/index.js';
import { clientOf } from './replica.js';
import { decode, encode, rejection, type StrictChain, type TestTransaction } from './strict-chain.js';

/** What the client says instead of the truth; what is absent is said truthfully. */
export interface Lies {
  readonly pending?: bigint;
  readonly mined?: bigint;
  readonly knows?: boolean;
  readonly genesis?: Hash;
  /** Refuses bytes with these words, and keeps them. */
  readonly refusal?: string;
}

interface SignedOnce {
  readonly hash: Hash;
  readonly id: string;
  readonly gasPrice: number;
}

/** Everything that was signed, and what of it a client may still have mined. */
export class SignedNonces {
  private readonly last = new Map<string, SignedOnce>();
  private readonly submitted = new Set<Hash>();
  private readonly refused = new Set<Hash>();
  /** Nonces that were signed twice while the first transaction may still be mined. */
  readonly conflicts: string[] = [];

  /** Signs, as the key of an account does. */
  sign(transaction: TestTransaction): { raw: Uint8Array; hash: Hash } {
    const { account, nonce, id, gasPrice = 0 } = transaction;
    const signed = encode(transaction);
    const name = `${account}:${nonce}`;
    const first = this.last.get(name);
    const isOther = first !== undefined && first.hash !== signed.hash && gasPrice <= first.gasPrice;
    if (isOther && this.mayBeMined(first.hash)) this.conflicts.push(`${name} of ${first.id} and ${id}`);
    this.last.set(name, { hash: signed.hash, id, gasPrice });
    return signed;
  }

  noteSubmission(hash: Hash): void {
    this.submitted.add(hash);
  }

  /** The client refused the bytes and did not keep them. */
  noteRefusal(hash: Hash): void {
    this.refused.add(hash);
  }

  private mayBeMined(hash: Hash): boolean {
    return this.submitted.has(hash) && !this.refused.has(hash);
  }
}

/** A client that lies about counts, hashes and what it keeps, as `lies` says. */
export class LyingClient {
  lies: Lies = {};
  readonly signed = new SignedNonces();

  constructor(public chain: StrictChain) {}

  for(account: Address): SequenceClient {
    const truth = () => clientOf(this.chain, account);
    return {
      pendingCount: async () => this.lies.pending ?? (await truth().pendingCount()),
      minedCount: async () => this.lies.mined ?? (await truth().minedCount()),
      knows: async (hash) => this.lies.knows ?? (await truth().knows(hash)),
      chain: async () => {
        const { chainId, genesis } = await truth().chain();
        return { chainId, genesis: this.lies.genesis ?? genesis };
      },
      submit: async (raw) => this.submit(raw),
    };
  }

  /** A signing function for one send, whose id is in the bytes. */
  signFor(account: Address, id: string): (nonce: bigint) => { raw: Uint8Array; hash: Hash } {
    return (nonce) => this.signed.sign({ account, nonce: nonce.toString(), id });
  }

  private submit(raw: Uint8Array): Hash {
    const hash = keccakHash(raw);
    this.signed.noteSubmission(hash);
    if (decode(raw).id.startsWith('poor')) {
      this.signed.noteRefusal(hash);
      throw rejection('insufficient funds for gas * price + value');
    }
    if (this.lies.refusal === undefined) return this.chain.submit(raw);
    this.keep(raw);
    throw rejection(this.lies.refusal);
  }

  private keep(raw: Uint8Array): void {
    try {
      this.chain.submit(raw);
    } catch {
      // It has them already, or has another transaction with the nonce.
    }
  }
}
