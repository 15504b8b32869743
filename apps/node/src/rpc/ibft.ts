import type { BlockNumberOrTag, BlockSignersView, SnapshotView, ibftMethods } from '@tetrad/api-node';
import { ConsensusError, tallyOf } from '@tetrad/node-consensus-bft';
import type { Handlers } from '@tetrad/rpc';
import { RefusalError, type Hash, type SealedHeader } from '@tetrad/types';
import { consensusStatus } from './ibft-status.js';
import type { NodeParts } from './node-parts.js';

/** Text of upstream for a block that is not there, the pending one included. */
const UNKNOWN_BLOCK = 'unknown block';

/** Validator voting and what blocks say of their validators, under ibft and qbft alike (ibft.md, section 13). */
export function ibftHandlers(parts: NodeParts): Handlers<typeof ibftMethods> {
  const { ledger, candidates, identity } = parts;
  const at = (reference: BlockNumberOrTag | undefined) => blockAt(parts, reference ?? 'latest');
  const withHash = (hash: Hash) => found(parts, ledger.findBlock(hash));
  return {
    ibft_candidates() {
      assertBft(parts);
      return new Map([...candidates.list()].sort(([one], [other]) => (one < other ? -1 : 1)));
    },
    async ibft_discard([address]) {
      assertBft(parts);
      await candidates.discard(address);
      return null;
    },
    ibft_getSignersFromBlock: async ([reference]) => signersOf(parts, await at(reference)),
    ibft_getSignersFromBlockByHash: async ([hash]) => signersOf(parts, await withHash(hash)),
    ibft_getSnapshot: async ([reference]) => viewSnapshot(parts, await at(reference)),
    ibft_getSnapshotAtHash: async ([hash]) => viewSnapshot(parts, await withHash(hash)),
    ibft_getValidators: async ([reference]) => validatorsAfter(parts, await at(reference)),
    ibft_getValidatorsAtHash: async ([hash]) => validatorsAfter(parts, await withHash(hash)),
    async ibft_isValidator([reference]) {
      assertBft(parts);
      try {
        return (await validatorsAfter(parts, await at(reference))).includes(identity.address);
      } catch (error) {
        if (error instanceof RefusalError) return false;
        throw error;
      }
    },
    ibft_nodeAddress() {
      assertBft(parts);
      return identity.address;
    },
    async ibft_propose([address, add]) {
      assertBft(parts);
      await candidates.propose(address, add);
      return null;
    },
    async ibft_status([start, end], { signal }) {
      assertBft(parts);
      return consensusStatus(ledger, { start: start ?? undefined, end: end ?? undefined, signal });
    },
  };
}

function assertBft({ ledger }: NodeParts): void {
  if (ledger.genesis.consensus.engine === 'raft') {
    throw new RefusalError(
      'CONSENSUS_NOT_AVAILABLE',
      'the chain is ordered by raft, which has no validators',
    );
  }
}

function blockAt(parts: NodeParts, reference: BlockNumberOrTag): Promise<SealedHeader> {
  const { ledger } = parts;
  // A block in the making is in no snapshot and has no seals.
  if (reference === 'pending') return found(parts, Promise.resolve(undefined));
  if (typeof reference === 'number') return found(parts, ledger.findBlock(reference));
  return found(parts, reference === 'earliest' ? ledger.findBlock(0) : Promise.resolve(ledger.head()));
}

async function found(parts: NodeParts, reading: Promise<SealedHeader | undefined>): Promise<SealedHeader> {
  assertBft(parts);
  const block = await reading;
  if (block === undefined) throw new RefusalError('BLOCK_NOT_FOUND', UNKNOWN_BLOCK);
  return block;
}

function signersOf({ ledger }: NodeParts, { hash, header }: SealedHeader): BlockSignersView {
  const format = ledger.rules.formatAt(header.number);
  try {
    const committers = [...format.committersOf(header)];
    return {
      number: header.number,
      hash,
      author: format.proposerOf(header),
      committers: committers.length === 0 ? null : committers,
    };
  } catch (error) {
    // Block 0 of the older format: nobody has sealed it.
    if (error instanceof ConsensusError) throw new RefusalError('INVALID_SIGNATURE', error.message);
    throw error;
  }
}

async function validatorsAfter({ ledger }: NodeParts, { header }: SealedHeader) {
  return [...(await ledger.snapshotAt(header.number)).validators];
}

async function viewSnapshot({ ledger }: NodeParts, { hash, header }: SealedHeader): Promise<SnapshotView> {
  const { number } = header;
  const snapshot = await ledger.snapshotAt(number);
  const { epochLength, proposerPolicy } = ledger.rules.settingsAt(number);
  const votes = snapshot.votes.map(({ validator, block, recipient, add }) => ({
    ...{ validator, block, address: recipient, authorize: add },
  }));
  return {
    epoch: epochLength,
    number,
    hash,
    // As upstream: null where an epoch begins, an empty list where votes came and went.
    votes: votes.length === 0 && number % epochLength === 0 ? null : votes,
    tally: new Map(
      [...tallyOf(snapshot)].map(([address, { add, votes: count }]) => [
        address,
        { authorize: add, votes: count },
      ]),
    ),
    validators: [...snapshot.validators],
    policy: proposerPolicy === 'sticky' ? 1 : 0,
  };
}
