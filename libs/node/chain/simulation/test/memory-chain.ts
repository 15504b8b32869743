import {
  StateDatabase,
  createExecutor,
  defaultGenesis,
  genesisState,
  parseGenesis,
  type BlockContext,
  type Executor,
  type ForkName,
  type WorldState,
} from '@tetrad/node-execution';
import { hexFromBytes, parseAddress, parseHash, silentMetrics, type Hash } from '@tetrad/types';

/** A state of which only the genesis is stored, in memory, and a block on top of it. */
export interface MemoryChain {
  readonly executor: Executor;
  readonly block: BlockContext;
  readonly world: WorldState;
}

const BLOCK_HASH = parseHash(`0x${'b7'.repeat(32)}`);

export const CHAIN_BLOCK: BlockContext = {
  number: 1,
  timestamp: 1_700_000_000,
  proposer: parseAddress(`0x${'c0'.repeat(20)}`),
  gasLimit: 16_000_000n,
  baseFeePerGas: 0n,
  difficulty: 1n,
  mixHash: parseHash(`0x${'3a'.repeat(32)}`),
  findBlockHash: async (number): Promise<Hash | undefined> => (number === 0 ? BLOCK_HASH : undefined),
};

/**
 * @param alloc - as in a genesis file
 * @param config - as in a genesis file
 * @param fork - rules of all blocks
 */
export async function memoryChain(
  alloc: object = {},
  fork: ForkName = 'osaka',
  config: object = {},
): Promise<MemoryChain> {
  const json = defaultGenesis({
    chainId: 1337,
    extraData: '0x',
    engine: 'qbft',
    blockPeriodMs: 1_000,
    balances: new Map(),
  });
  const parsed = parseGenesis({ ...json, alloc, config: { ...(json['config'] as object), ...config } });
  const executor = createExecutor(parsed);
  const nodes = new Map<string, Uint8Array>();
  const codes = new Map<string, Uint8Array>();
  const database = new StateDatabase({
    source: {
      findNode: async (hash) => nodes.get(hexFromBytes(hash)),
      findCode: async (hash) => codes.get(hexFromBytes(hash)),
      findPreimage: async () => undefined,
    },
    metrics: silentMetrics,
  });
  const changes = await genesisState(parsed, database);
  for (const { hash, encoded } of changes.nodes) nodes.set(hexFromBytes(hash), encoded);
  for (const { hash, code } of changes.codes) codes.set(hexFromBytes(hash), code);
  const world = await database.openWorld(changes.stateRoot);
  // The rules of one fork, and of none before it.
  const ofFork: Executor = {
    ...executor,
    context: (block, options) => ({ ...executor.context(block, options), fork }),
  };
  return { executor: ofFork, block: CHAIN_BLOCK, world };
}
