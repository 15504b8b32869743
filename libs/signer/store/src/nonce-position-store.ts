import type { Database } from '@tetrad/db';
import { clientBytes } from '@tetrad/db/client';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { readPosition } from './hot/read-position.js';
import type { SignerCalls } from './signer-client.js';

/** Where a nonce sequence stands, to compare a client's count with. */
export interface NoncePosition {
  /** Assigned next. */
  readonly next: bigint;
  /** What the client was seen to have mined. */
  readonly mined: bigint;
  /** A lower count leads the sequence no further down, since transactions below may be signed that have no row. */
  readonly floor: bigint;
  /** Nonces from `next` up to the count that have transactions of ours: callers chose them. */
  readonly explained: bigint;
  /** Block 0 of the chain that the sequence belongs to; absent until it is known. */
  readonly genesis?: Hash | undefined;
}

/** Positions of nonce sequences, and the changes of them that no assignment and no block makes. */
export class NoncePositionStore {
  constructor(
    private readonly database: Pick<Database, 'pool'>,
    private readonly client: SignerCalls,
  ) {}

  /** @param count - of the client */
  async read(sequenceId: number, count: bigint): Promise<NoncePosition> {
    const row = await readPosition(this.database.pool, sequenceId, count);
    return {
      next: BigInt(row.nextNonce),
      mined: BigInt(row.minedCount),
      floor: BigInt(row.floor),
      explained: BigInt(row.explained),
      ...(row.genesis === null ? {} : { genesis: hashFromBytes(row.genesis) }),
    };
  }

  /** Records the chain of a sequence of which it is not known. */
  async recordGenesis(sequenceId: number, genesis: Hash): Promise<void> {
    await this.client.nonceSequence.updateMany({
      where: { id: sequenceId, genesis: null },
      data: { genesis: clientBytes(hashToBytes(genesis)) },
    });
  }

  /** Lets the sequence go down to a count below its floor. */
  async lowerFloor(sequenceId: number, count: bigint): Promise<void> {
    const { client } = this;
    const id = sequenceId;
    const lowest = count.toString();
    await client.$transaction([
      client.nonceSequence.updateMany({
        where: { id, knownFrom: { gt: lowest } },
        data: { knownFrom: lowest },
      }),
      client.nonceSequence.updateMany({
        where: { id, minedCount: { gt: lowest } },
        data: { minedCount: lowest },
      }),
    ]);
  }

  /** Continues the sequence on another chain. Transactions in flight keep their nonces; what was mined is the other chain's. */
  async switchChain(sequenceId: number, { genesis, count }: { genesis: Hash; count: bigint }): Promise<void> {
    const { client } = this;
    const next = count.toString();
    await client.$transaction([
      client.nonceSequence.updateMany({
        where: { id: sequenceId },
        data: {
          genesis: clientBytes(hashToBytes(genesis)),
          nextNonce: next,
          minedCount: next,
          knownFrom: next,
        },
      }),
      client.settledNonce.deleteMany({ where: { sequenceId } }),
    ]);
  }
}
