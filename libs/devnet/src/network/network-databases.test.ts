import { expect, it } from '@jest/globals';
import { connectionsNeeded } from './network-databases.js';
import { parseNetworkOptions } from './network-options.js';
import { databaseNames } from './service-list.js';

it('the services of a network may hold ten connections each', () => {
  const ofTen = databaseNames(parseNetworkOptions(['--nodes', '10']));
  // Ten nodes, their managers, signer and wallet: more than the 200 of the embedded server.
  expect(ofTen).toHaveLength(22);
  expect(connectionsNeeded(ofTen.length)).toBe(240);
});
