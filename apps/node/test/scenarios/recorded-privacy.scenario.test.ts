import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../privacy-network.js';
import {
  recordedPrivacy,
  type PrivacyStep,
  type PrivateView,
  type ReceiptView,
} from '../recorded-privacy.js';
import type { RunningNode } from '../running-node.js';

const GAS = '0x2dc6c0';
const MARKER_TARGET = '0x000000000000000000000000000000000000007a';
const VALUE = '0x3fa4f245';

/** Of a receipt what is the same on every chain. */
const shownOf = ({ contractAddress, from, to, status, logs, logsBloom, ...rest }: ReceiptView) => ({
  contractAddress,
  from,
  to,
  status,
  logsBloom,
  isMarker: rest.isPrivacyMarkerTransaction,
  logs: logs.map(({ address, topics, data, logIndex }) => ({ address, topics, data, logIndex })),
});

const privateOf = ({ from, to, gas, nonce, value }: PrivateView) => ({ from, to, gas, nonce, value });

/** Hashes of payloads are of this network. */
const withoutHashes = (text: string) => text.replace(/Txn [A-Za-z0-9+/]{86}==/, 'Txn HASH');

describe.each(['private', 'marker'] as const)('the steps recorded from GoQuorum, “%s”, here', (name) => {
  const recorded = recordedPrivacy(name);
  let network: PrivacyNetwork;
  let nodes: readonly RunningNode[];

  beforeAll(async () => {
    const flags = name === 'marker' ? ['--privacy-markers', 'true'] : [];
    network = await startPrivacyNetwork({ keys: RECORDED_KEYS, accounts: recordedAccounts(3), flags });
    ({ nodes } = network);
  });
  afterAll(() => network?.stop());

  const ask = <T>(method: string, ...params: readonly unknown[]) =>
    Promise.all(nodes.map((node) => node.call(method, params) as Promise<{ result?: T; error?: object }>));

  const send = (step: PrivacyStep) => {
    const request = { from: recorded.accounts[step.node], gas: GAS, ...step.args };
    return (nodes[step.node] as RunningNode).call('eth_sendTransaction', [request]);
  };

  it('has the keys and accounts of the recording', () => {
    expect(RECORDED_KEYS.map(({ publicKey }) => publicKey)).toEqual(recorded.managerKeys);
    expect(recordedAccounts(3).map(({ address }) => address)).toEqual(recorded.accounts);
    expect(recorded.steps).toHaveLength(26);
  });

  it.each(recorded.steps.map((step) => [step.name, step] as const))('%s', async (_, step) => {
    const { result: hash, error } = await send(step);
    if (step.error !== undefined) {
      expect({ code: error?.code, message: withoutHashes(error?.message ?? '') }).toEqual({
        code: step.error.code,
        message: withoutHashes(step.error.message),
      });
      if (step.error.data !== undefined) expect(error?.data).toBe(step.error.data);
      return;
    }
    expect(error).toBeUndefined();
    const receipts = await Promise.all(nodes.map((node) => node.mined(hash as string)));
    expect(receipts.map((receipt) => shownOf(receipt as unknown as ReceiptView))).toEqual(
      step.receipts?.map(shownOf),
    );
    await seeTransaction(step, hash as string);
    await seePrivate(step, hash as string);
    await seeState(step);
    await seeRoots(step, receipts[0]?.blockNumber as string);
  });

  async function seeTransaction(step: PrivacyStep, hash: string): Promise<void> {
    const seen = await ask<{ v: string; to: string; nonce: string; input: string }>(
      'eth_getTransactionByHash',
      hash,
    );
    const [first] = seen;
    expect(seen.map(({ result }) => result)).toEqual(nodes.map(() => first?.result));
    const { to, nonce } = step.transaction ?? {};
    expect(first?.result).toMatchObject({ to, nonce });
    if (step.payloads === undefined) return;
    expect(first?.result?.input).toMatch(/^0x[0-9a-f]{128}$/);
    expect(['0x25', '0x26'].includes(first?.result?.v ?? '')).toBe(to !== MARKER_TARGET);
    const payloads = await ask<string>('eth_getChainPayload', first?.result?.input);
    const own = payloads.map(({ result }) => result);
    if (name === 'private') expect(own).toEqual(step.payloads.map(({ result }) => result));
    // Behind a marker is a transaction with hash and signature of this network.
    else expect(own.map((text) => text === '0x')).toEqual(step.payloads.map(({ result }) => result === '0x'));
  }

  async function seePrivate({ private: theirs }: PrivacyStep, hash: string): Promise<void> {
    // Without a marker, GoQuorum takes the payload for JSON; the reference has null for it.
    const shown = theirs?.map(({ byHash, receipt }) => ({
      transaction: byHash.result ? privateOf(byHash.result) : null,
      receipt: receipt.result ? shownOf(receipt.result) : null,
    }));
    const transactions = await ask<PrivateView | null>('eth_getPrivateTransactionByHash', hash);
    const receipts = await ask<ReceiptView | null>('eth_getPrivateTransactionReceipt', hash);
    const own = nodes.map((_, index) => {
      const [transaction, receipt] = [transactions[index]?.result, receipts[index]?.result];
      return {
        transaction: transaction ? privateOf(transaction) : null,
        receipt: receipt ? shownOf({ ...receipt, isPrivacyMarkerTransaction: false }) : null,
      };
    });
    expect(own).toEqual(shown);
  }

  async function seeState({ address, args, ...step }: PrivacyStep): Promise<void> {
    if (step.values !== undefined) {
      const values = await ask<string>('eth_call', { to: args.to, data: VALUE }, 'latest');
      expect(values.map(({ result }) => result)).toEqual(step.values.map(({ result }) => result));
    }
    if (address === undefined) return;
    const codes = await ask<string>('eth_getCode', address, 'latest');
    expect(codes.map(({ result }) => ((result?.length ?? 2) - 2) / 2)).toEqual(step.codeLength);
    const roots = await ask<string>('eth_storageRoot', address);
    expect(roots.map(({ result }) => result)).toEqual(step.storageRoot?.map(({ result }) => result));
    const metadata = await ask<{ privacyFlag: number }>('eth_getContractPrivacyMetadata', address);
    expect(metadata.map(({ result }) => result?.privacyFlag)).toEqual(
      step.metadata?.map(({ result }) => result?.privacyFlag),
    );
  }

  /** Accounts and nonces are those of the recording, so that the private states are too. */
  async function seeRoots({ block }: PrivacyStep, blockNumber: string): Promise<void> {
    const theirs = recorded.blocks.find(({ number }) => number === Number(block))?.privateRoots;
    const own = await ask<string>('debug_privateStateRoot', blockNumber);
    expect(own.map(({ result }) => result)).toEqual(theirs);
  }
});
