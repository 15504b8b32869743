import {
  CodeCache,
  Journal,
  MemorySource,
  World,
  executeTransaction,
  includePrivateTransaction,
  toWord,
  wordFromAddress,
  wordFromHash,
  type Account,
  type BlockContext,
  type ExecutionContext,
} from '@tetrad/node-evm';
import { precompiles } from '@tetrad/node-precompiles';
import { decodeTransaction, isPrivateTransaction } from '@tetrad/node-execution';
import { parseHash, type Address, type Block, type Hash, type SignedTransaction } from '@tetrad/types';
import {
  PendingExtensions,
  PendingMetadata,
  executePrivateBlock,
  type PayloadSource,
  type PrivacyMetadata,
  type PrivateBlockOutcome,
  type PrivateBlockParts,
} from '../src/index.js';
import { CHAIN_ID, NO_SHARED_STATES, genesisState } from './recorded-chain.js';

interface ChainRoots {
  readonly publicRoot: Hash;
  readonly privateRoot: Hash;
}

/** A chain as one node with private state executes it, its states in memory. */
export class FollowedChain {
  readonly metadata = new Map<Address, PrivacyMetadata>();
  private readonly publicState: MemorySource;
  readonly privateState = new MemorySource({});
  private readonly codes = new CodeCache();
  /** By their numbers, of the blocks before the one that is executed. */
  private readonly hashes = new Map<number, Hash>();
  private currentRoots: ChainRoots | undefined;

  constructor(
    name: string,
    private readonly payloads: PayloadSource,
    private readonly isPermitted?: PrivateBlockParts['isPermitted'],
  ) {
    this.publicState = new MemorySource(genesisState(name));
  }

  /** Computed where a block changed something: most recorded blocks are empty. */
  get roots(): ChainRoots {
    this.currentRoots ??= {
      publicRoot: parseHash(this.publicState.root),
      privateRoot: parseHash(this.privateState.root),
    };
    return this.currentRoots;
  }

  /** Whether private state has an account at the address. */
  hasPrivate(address: Address): boolean {
    return this.privateState.accounts.has(wordFromAddress(address));
  }

  async follow(block: Block): Promise<PrivateBlockOutcome> {
    this.hashes.set(block.header.number - 1, block.header.parentHash);
    const context = contextOf(block, this.hashes);
    const journal = new Journal();
    const publicWorld = new World(this.publicState, journal, this.codes);
    const privateWorld = new World(this.privateState, journal, this.codes);
    const metadata = new PendingMetadata({ find: async (addresses) => this.find(addresses) });
    const executed: SignedTransaction[] = [];
    const executePublicly = async (transaction: SignedTransaction) => {
      const execute = isPrivateTransaction(transaction) ? includePrivateTransaction : executeTransaction;
      await execute(context, transaction, publicWorld);
      executed.push(transaction);
    };
    const outcome = await executePrivateBlock(
      {
        context,
        publicWorld,
        privateWorld,
        payloads: this.payloads,
        metadata,
        executePublicly,
        sharedStates: NO_SHARED_STATES,
        extensions: new PendingExtensions({ findContract: async () => undefined }),
        roots: { storageRoot: async (account) => storageRootOf(account) },
        hasPrivacyEnhancements: true,
        hasMarkers: true,
        decode: (raw) => decodeTransaction(raw, CHAIN_ID),
        chainId: CHAIN_ID,
        isPermitted: this.isPermitted,
      },
      block.transactions,
      isPrivateTransaction,
    );
    if (outcome.kind === 'paused') return outcome;
    for (const transaction of block.transactions.slice(executed.length)) await executePublicly(transaction);
    const changes = { public: publicWorld.changes(), private: privateWorld.changes() };
    this.publicState.apply(changes.public);
    this.privateState.apply(changes.private);
    if (changes.public.length + changes.private.length > 0) this.currentRoots = undefined;
    for (const [address, own] of metadata.created) this.metadata.set(address, own);
    return outcome;
  }

  private find(addresses: readonly Address[]): Map<Address, PrivacyMetadata> {
    return new Map(
      addresses.flatMap((address) => {
        const found = this.metadata.get(address);
        return found === undefined ? [] : [[address, found] as const];
      }),
    );
  }
}

function storageRootOf(account: Account): Hash {
  const { source } = account.world;
  if (!(source instanceof MemorySource)) throw new TypeError('not a state in memory');
  const pending = account.changedSlots.map(({ key, value }) => ({ slot: key, value }));
  return parseHash(source.storageRoot(account.key, pending));
}

function contextOf({ header }: Block, hashes: ReadonlyMap<number, Hash>): ExecutionContext {
  const block: BlockContext = {
    number: header.number,
    timestamp: Number(header.timestamp),
    coinbase: wordFromAddress(header.beneficiary),
    gasLimit: toWord(header.gasLimit),
    baseFee: 0,
    difficulty: 1,
    randomness: 0,
    blobBaseFee: 1,
    chainId: toWord(CHAIN_ID),
    blockHash: (number) => {
      const hash = hashes.get(number);
      return hash === undefined ? 0 : wordFromHash(hash);
    },
    fetch: async () => undefined,
  };
  return { fork: 'istanbul', block, precompiles };
}
