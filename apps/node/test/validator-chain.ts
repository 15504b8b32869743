import { addressFromPrivateKey } from '@tetrad/crypto';
import { connectDatabase } from '@tetrad/db';
import { bftRules, quorumOf } from '@tetrad/node-consensus-bft';
import { bftChainRules } from '@tetrad/node-consensus-bft-chain';
import { createExecutor, defaultGenesis, parseGenesis } from '@tetrad/node-execution';
import { openLedger } from '@tetrad/node-ledger';
import { openLedgerStore } from '@tetrad/node-store';
import { hexFromBytes, silentLogger, silentMetrics, systemClock, type Address } from '@tetrad/types';
import { nextBlock } from '../../../libs/node/chain/consensus-bft-chain/test/seal-block.js';
import { CHAIN_ID, startNode, type RunningNode } from './running-node.js';

const NAMES = ['A', 'B', 'C', 'D', 'E'] as const;
export type Name = (typeof NAMES)[number];

/** In the order of the addresses. */
const ORDERED = [1, 2, 3, 4, 5]
  .map((scalar) => Buffer.alloc(32, scalar))
  .sort((one, other) => (addressFromPrivateKey(one) < addressFromPrivateKey(other) ? -1 : 1));

/** Keys of the validators A to D, and of E, which is not a validator; alphabetical order is that of the addresses. */
export const keyOf = (name: Name): Uint8Array => ORDERED[NAMES.indexOf(name)] ?? Buffer.alloc(0);
export const addressOf = (name: Name): Address => addressFromPrivateKey(keyOf(name));
export const VALIDATORS = (['A', 'B', 'C', 'D'] as const).map(addressOf);

/** Blocks as texts: "A:+E" is a block by A that votes to add E. */
export interface ValidatorChain {
  readonly engine: 'qbft' | 'ibft';
  readonly blocks: string;
  /** More keys of the consensus section. */
  readonly consensus?: object;
}

/** A node on a chain of four validators that does not grow, under the key of A; sealed by a quorum in alphabetical order. */
export function startOnChain(chain: ValidatorChain, flags: readonly string[] = []): Promise<RunningNode> {
  const genesis = genesisOf(chain);
  return startNode(['--validator', 'false', ...flags], {
    genesis,
    nodeKey: keyOf('A'),
    prepare: (url) => writeBlocks(url, genesis, chain.blocks),
  });
}

function genesisOf({ engine, consensus }: ValidatorChain): object {
  const genesis = defaultGenesis({
    chainId: CHAIN_ID,
    engine,
    blockPeriodMs: 1000,
    extraData: hexFromBytes(bftRules(engine).genesisExtraData(VALIDATORS)),
    balances: new Map(),
  });
  const config = genesis['config'] as Record<string, object>;
  return { ...genesis, config: { ...config, [engine]: { ...config[engine], ...consensus } } };
}

async function writeBlocks(databaseUrl: string, genesisFile: object, blocks: string): Promise<void> {
  const database = await connectDatabase({ url: databaseUrl });
  const store = await openLedgerStore(database);
  const genesis = parseGenesis(genesisFile);
  const rules = bftChainRules(genesis);
  const ledger = await openLedger({
    genesis,
    rules,
    store,
    clock: systemClock,
    logger: silentLogger,
    metrics: silentMetrics,
    executor: createExecutor(genesis),
  });
  for (const block of blocks.split(/,\s*/)) {
    const [author = 'A', vote] = block.split(':') as [Name, string?];
    const recipient = vote === undefined ? undefined : addressOf(vote.charAt(1) as Name);
    const { validators } = ledger.snapshot();
    const sealers = NAMES.filter((name) => validators.includes(addressOf(name)));
    await ledger.importBlock(
      await nextBlock(
        { ledger, rules },
        {
          proposerKey: keyOf(author),
          keys: sealers.slice(0, quorumOf(sealers.length)).map(keyOf),
          vote: recipient === undefined ? undefined : { recipient, isAdd: vote?.startsWith('+') === true },
        },
      ),
    );
  }
  await store.close();
  await database.close();
}
