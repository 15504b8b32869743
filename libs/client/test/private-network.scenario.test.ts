import { afterAll, beforeAll, describe } from '@jest/globals';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../../apps/node/test/privacy-network.js';
import { testEthers } from './private-network/ethers-tests.js';
import { testNetworkActions } from './private-network/network-action-tests.js';
import { testPrivateTransactions } from './private-network/private-transaction-tests.js';
import { testSigner } from './private-network/signer-tests.js';
import { testWeb3JsQuorum } from './private-network/web3js-quorum-tests.js';

/** Three nodes with a manager each. Each part has contracts of its own, and leaves nothing open. */
let network: PrivacyNetwork;
beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(3),
    modules: 'admin,eth,net,web3,rpc,debug,eea,priv,chainExtension,ibft,raft',
    emptyBlockPeriodSeconds: 1,
    managerOptionsOf: () => ({ partyIntervalMs: 1_000 }),
  });
});
afterAll(() => network?.stop());

describe('actions of a private network', () => testNetworkActions(() => network));
describe('private transactions by viem', () => testPrivateTransactions(() => network));
describe('private transactions by ethers', () => testEthers(() => network));
describe('private transactions by a signer', () => testSigner(() => network));
describe('applications of web3js-quorum', () => testWeb3JsQuorum(() => network));
