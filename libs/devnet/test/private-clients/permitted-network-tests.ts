import { afterAll, beforeAll, describe } from '@jest/globals';
import { testFirstStart, testResumption } from './permission-tests.js';
import { PermittedNetwork, type Engine } from './permitted-network.js';
import { web3jLibraries } from './web3j-client.js';
import { testWeb3j } from './web3j-tests.js';
import { testWeb3js } from './web3js-quorum-tests.js';

const web3j = await web3jLibraries();
if ('lacking' in web3j) console.warn(`web3j is skipped: ${web3j.lacking}`);

/** The tests of permissions and of both clients for private networks, on one network. */
export function testPermittedNetwork(engine: Engine): void {
  let network: PermittedNetwork;
  beforeAll(async () => {
    network = await PermittedNetwork.start(engine);
  }, 900_000);
  afterAll(() => network?.stop());

  testFirstStart(() => network);
  // Before web3j: it expects the organizations and nodes that the network starts with.
  describe('web3.js with its package for private networks', () => testWeb3js(engine, () => network));
  ('lacking' in web3j ? describe.skip : describe)('web3j with its library for private networks', () =>
    testWeb3j(engine, 'folder' in web3j ? web3j.folder : '', () => network),
  );
  testResumption(engine, () => network);
}
