import type { BlockNumberOrTag, BlockSignersView, SnapshotView, ibftMethods } from '@tetrad/api-node';
import { ConsensusError, tallyOf } from '@tetrad/node-consensus-bft';
import { proposerActivity } from '@tetrad/node-consensus-bft-chain';
import type { Handlers } from '@tetrad/rpc';
import { RequestError, type Address, type Hash, type SealedHeader } from '@tetrad/types';
import type { BftChainEngine, ChainEngine } from '../open/chain-engine.js';
import type { NodeParts } from './node-parts.js';

/** Text of upstream for an unknown block, including the pending one. */
const UNKNOWN_BLOCK = 'unknown block';

/** Validator voting and the validators of blocks, under both ibft and qbft (docs/spec/bft.md#methods). */
export function ibftHandlers({
  engine,
  identity,
}: Pick<NodeParts, 'engine' | 'identity'>): Handlers<typeof ibftMethods> {
  const chain = () => assertBft(engine);
  const at = async (reference: BlockNumberOrTag | undefined) => blockAt(chain(), reference ?? 'latest');
  const withHash = async (hash: Hash) => found(await chain().ledger.findBlock(hash));
  return {
    ibft_candidates: () =>
      new Map([...chain().candidates.list()].sort(([one], [other]) => (one < other ? -1 : 1))),
    async ibft_discard([address]) {
      await chain().candidates.discard(address);
      return null;
    },
    ibft_getSignersFromBlock: async ([reference], { calledAs }) =>
      inWordsOf(calledAs, signersOf(chain(), await at(reference))),
    ibft_getSignersFromBlockByHash: async ([hash], { calledAs }) =>
      inWordsOf(calledAs, signersOf(chain(), await withHash(hash))),
    ibft_getSnapshot: async ([reference]) => viewSnapshot(chain(), await at(reference)),
    ibft_getSnapshotAtHash: async ([hash]) => viewSnapshot(chain(), await withHash(hash)),
    ibft_getValidators: async ([reference]) => validatorsAfter(chain(), await at(reference)),
    ibft_getValidatorsAtHash: async ([hash]) => validatorsAfter(chain(), await withHash(hash)),
    ibft_isValidator: async ([reference]) => isValidator(chain(), reference, identity.address),
    ibft_nodeAddress() {
      chain();
      return identity.address;
    },
    async ibft_propose([address, add]) {
      await chain().candidates.propose(address, add);
      return null;
    },
    async ibft_status([start, end], { signal }) {
      const range = { start: start ?? undefined, end: end ?? undefined, signal };
      const { numBlocks, sealerActivity } = await proposerActivity(chain(), range);
      return { numBlocks, sealerActivity: new Map(sealerActivity) };
    },
  };
}

function assertBft(engine: ChainEngine): BftChainEngine {
  if (engine.kind === 'bft') return engine;
  throw new RequestError('CONSENSUS_NOT_AVAILABLE', 'the chain is ordered by raft, which has no validators');
}

async function blockAt({ ledger }: BftChainEngine, reference: BlockNumberOrTag): Promise<SealedHeader> {
  // The pending block is in no snapshot and has no seals.
  if (reference === 'pending') return found(undefined);
  if (typeof reference === 'number') return found(await ledger.findBlock(reference));
  return reference === 'earliest' ? found(await ledger.findBlock(0)) : ledger.head();
}

function found(block: SealedHeader | undefined): SealedHeader {
  if (block === undefined) throw new RequestError('BLOCK_NOT_FOUND', UNKNOWN_BLOCK);
  return block;
}

/** The original's namespace, whose answers have capitals in their keys. */
const ORIGINAL = 'istanbul_';

function inWordsOf(calledAs: string, signers: Signers): BlockSignersView {
  const { number, hash, author, committers } = signers;
  return calledAs.startsWith(ORIGINAL)
    ? { Number: number, Hash: hash, Author: author, Committers: committers }
    : signers;
}

type Signers = Extract<BlockSignersView, { readonly author: unknown }>;

function signersOf({ rules }: BftChainEngine, { hash, header }: SealedHeader): Signers {
  const format = rules.formatAt(header.number);
  try {
    const committers = [...format.committersOf(header)];
    return {
      number: header.number,
      hash,
      author: format.proposerOf(header),
      committers: committers.length === 0 ? null : committers,
    };
  } catch (error) {
    // Block 0 of the older format is not sealed.
    if (error instanceof ConsensusError) throw new RequestError('INVALID_SIGNATURE', error.message);
    throw error;
  }
}

async function validatorsAfter({ ledger }: BftChainEngine, { header }: SealedHeader) {
  return [...(await ledger.snapshotAt(header.number)).validators];
}

/** False for a block that is not known, as upstream. */
async function isValidator(
  chain: BftChainEngine,
  reference: BlockNumberOrTag | undefined,
  address: Address,
): Promise<boolean> {
  try {
    return (await validatorsAfter(chain, await blockAt(chain, reference ?? 'latest'))).includes(address);
  } catch (error) {
    if (error instanceof RequestError) return false;
    throw error;
  }
}

async function viewSnapshot(
  { ledger, rules }: BftChainEngine,
  { hash, header }: SealedHeader,
): Promise<SnapshotView> {
  const { number } = header;
  const snapshot = await ledger.snapshotAt(number);
  const { epochLength, proposerPolicyId } = rules.settingsAt(number);
  const votes = snapshot.votes.map(({ validator, block, recipient, isAdd }) => ({
    validator,
    block,
    address: recipient,
    authorize: isAdd,
  }));
  return {
    epoch: epochLength,
    number,
    hash,
    // As upstream: null where an epoch begins, an empty list where votes were cast and removed.
    votes: votes.length === 0 && number % epochLength === 0 ? null : votes,
    tally: new Map(
      [...tallyOf(snapshot)].map(([address, { isAdd, votes: count }]) => [
        address,
        { authorize: isAdd, votes: count },
      ]),
    ),
    validators: [...snapshot.validators],
    policy: proposerPolicyId,
  };
}
