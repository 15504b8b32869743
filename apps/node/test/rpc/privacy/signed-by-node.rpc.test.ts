import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hexFromBytes } from '@tetrad/types';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  storeRaw,
  type PrivacyNetwork,
  type TestManager,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { PrivateClient, creationOf, setTo } from './private-contracts.js';

/** Indexes of nodes: a sender and its party; the third node is not a party. */
const [N1, N2] = [0, 1] as const;
const FEES = { gas: '0x2dc6c0', gasPrice: '0x0' };

let network: PrivacyNetwork;
let client: PrivateClient;
let sender: RunningNode;
beforeAll(async () => {
  network = await startPrivacyNetwork({ keys: RECORDED_KEYS, accounts: recordedAccounts(3) });
  client = new PrivateClient(network);
  sender = network.nodes[N1] as RunningNode;
});
afterAll(() => network?.stop());

/**
 * Stores the data with the sender's manager.
 * @returns what a transaction carries for it
 */
async function stored(data: string): Promise<string> {
  return hexFromBytes(await storeRaw(network.managers[N1] as TestManager, data));
}

/**
 * Signs at the node, sends the result raw to the second node's manager.
 * @returns the receipts
 */
async function signAndSend(transaction: object) {
  const privateFor = [client.key(N2)];
  const request = { from: client.account(N1), ...FEES, ...transaction, privateFor };
  const { raw } = await sender.result<{ raw: string }>('eth_signTransaction', [request]);
  const hash = await sender.result<string>('eth_sendRawPrivateTransaction', [raw, { privateFor }]);
  return Promise.all(network.nodes.map((node) => node.mined(hash)));
}

const nextNonce = () => sender.result<string>('eth_getTransactionCount', [client.account(N1), 'pending']);

describe('a private transaction that the node signs for a client that sends it raw', () => {
  it('over a stored payload creates a contract and changes it, as any other (P-17)', async () => {
    const created = await signAndSend({
      data: await stored(creationOf('SimpleStorage', 23)),
      nonce: await nextNonce(),
    });
    const address = created[N1]?.contractAddress ?? '';
    expect(await client.values(address)).toEqual([23, 23, '0x']);
    const changed = await signAndSend({
      to: address,
      data: await stored(setTo(5)),
      nonce: await nextNonce(),
    });
    expect(changed.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1']);
    expect(await client.values(address)).toEqual([5, 5, '0x']);
  });

  it('can be the result of eth_fillTransaction (P-18)', async () => {
    const { tx } = await sender.result<{ tx: { input: string; nonce: string } }>('eth_fillTransaction', [
      {
        from: client.account(N1),
        ...FEES,
        data: creationOf('SimpleStorage', 129),
        privateFor: [client.key(N2)],
      },
    ]);
    const [receipt] = await signAndSend({ data: tx.input, nonce: tx.nonce });
    const payloads = await client.ask<string>('eth_getChainPayload', tx.input);
    const creation = creationOf('SimpleStorage', 129);
    expect(payloads).toEqual([creation, creation, '0x']);
    expect(await client.values(receipt?.contractAddress ?? '')).toEqual([129, 129, '0x']);
  });
});
