import { afterEach, beforeEach } from '@jest/globals';
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
  const ledgers = new TestLedgers();
  const network = new FakeNetwork();
  const genesis = largeGenesis();
  beforeEach(async () => {
    await ledgers.begin();
    const chain = await ledgers.open(ledgers.url, { genesis });
    open(chain);
    await growChain(chain);
  });
  afterEach(async () => {
    await network.stop();
    await ledgers.end();
  });
  return { ledgers, network, genesis };
}
