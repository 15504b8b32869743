import type { Database } from '@tetrad/db';
import { clientBytes } from '@tetrad/db/client';
import { addressFromBytes, addressToBytes } from '@tetrad/types';
import { LRUCache } from 'lru-cache';
import { claimSequences, type SequenceRow } from './hot/claim-sequences.js';
import type { NonceSequence, NonceSequenceKey } from './nonce-rows.js';
import type { SignerCalls } from './signer-client.js';

/** Size of the cache of sequence ids. */
const MAX_SEQUENCES = 10_000;

/** Nonce sequences by key, and the replica that maintains each of them. */
export class NonceSequenceStore {
  private readonly ids = new LRUCache<string, number>({ max: MAX_SEQUENCES });

  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly options: { readonly client: SignerCalls; readonly replica: string },
  ) {}

  /** The nonce sequence with the key; created when it is new. */
  async open(key: NonceSequenceKey): Promise<NonceSequence> {
    const name = `${key.chainId}:${key.account}:${Buffer.from(key.privacyGroup ?? []).toString('hex')}`;
    const id = this.ids.get(name) ?? (await this.find(key)) ?? (await this.create(key));
    this.ids.set(name, id);
    return { ...key, id };
  }

  /**
   * Claims nonce sequences with unsettled nonces that no living replica maintains, and keeps those of this replica.
   * @returns the sequences of this replica that were maintained longest ago
   */
  async claim(limit: number): Promise<NonceSequence[]> {
    const watcher = this.options.replica;
    return (await claimSequences(this.database.pool, { watcher, limit })).map(toNonceSequence);
  }

  private async find(key: NonceSequenceKey): Promise<number | undefined> {
    const { client } = this.options;
    const where = { chainId_account_privacyGroup: keyColumns(key) };
    const row = await client.nonceSequence.findUnique({ where, select: { id: true } });
    return row === null ? undefined : Number(row.id);
  }

  private async create(key: NonceSequenceKey): Promise<number> {
    const { client } = this.options;
    await client.nonceSequence.createMany({ data: [keyColumns(key)], skipDuplicates: true });
    return (await this.find(key)) as number;
  }
}

function keyColumns({ chainId, account, privacyGroup = new Uint8Array(0) }: NonceSequenceKey) {
  return {
    chainId,
    account: clientBytes(addressToBytes(account)),
    privacyGroup: clientBytes(privacyGroup),
  };
}

function toNonceSequence({ id, chainId, account, privacyGroup }: SequenceRow): NonceSequence {
  return {
    id,
    chainId: BigInt(chainId),
    account: addressFromBytes(account),
    ...(privacyGroup.length === 0 ? {} : { privacyGroup }),
  };
}
