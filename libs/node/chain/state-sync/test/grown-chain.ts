import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Genesis } from '@tetrad/node-execution';
import type { TestLedger } from '../../consensus-bft-chain/test/open-test-ledger.js';
import { TestLedgers } from '../../consensus-bft-chain/test/test-ledgers.js';
import { FakeNetwork } from '../../peer/test/fake-node.js';
import { growChain } from './assert-joined.js';
import { largeGenesis } from './joining-chain.js';

/** What the tests of a file share; ledgers and network are empty again before each. */
export interface GrownChain {
  readonly ledgers: TestLedgers;
  readonly network: FakeNetwork;
  readonly genesis: Genesis;
}

/**
 * Gives each test of a file a chain of blocks that a node can join.
 *
 * @param open - gets the chain before each test
 */
export function useGrownChain(open: (chain: TestLedger) => void): GrownChain {
  const shared = useEmptyNetwork();
  beforeEach(async () => open(await grownIn(shared)));
  return shared;
}

/**
 * The same with one chain for all tests of a file, none of which changes it.
 *
 * @param open - gets the chain before the first test
 */
export function useSharedChain(open: (chain: TestLedger) => void): GrownChain {
  const shared = useEmptyNetwork();
  const own = new TestLedgers();
  beforeAll(async () => {
    await own.begin();
    open(await grownIn({ ...shared, ledgers: own }));
  });
  afterAll(() => own.end());
  return shared;
}

/** Gives each test of a file, or of a part of it, a network without nodes, and ledgers without databases. */
export function useEmptyNetwork(): GrownChain {
  const ledgers = new TestLedgers();
  const network = new FakeNetwork();
  beforeEach(() => ledgers.begin());
  afterEach(async () => {
    await network.stop();
    await ledgers.end();
  });
  return { ledgers, network, genesis: largeGenesis() };
}

async function grownIn({ ledgers, genesis }: GrownChain): Promise<TestLedger> {
  const chain = await ledgers.open(ledgers.url, { genesis });
  await growChain(chain);
  return chain;
}
