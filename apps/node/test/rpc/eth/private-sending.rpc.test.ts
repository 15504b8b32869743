import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, keccak256, signDigest } from '@tetrad/crypto';
import { until } from '@tetrad/testkit';
import { privateEnvelopeOf, signTransaction } from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  storeRaw,
  type PrivacyNetwork,
  type TestManager,
} from '../../privacy-network.js';
import { recordedPrivacy } from '../../recorded-privacy.js';
import { CHAIN_ID, reasonOf, type RunningNode } from '../../running-node.js';
import { signRestricted, type RestrictedContent } from '../privacy/restricted-transaction.js';

const [A, B] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];
const [own] = recordedAccounts(1).map(({ address }) => address as string) as [string];
const EXTERNAL = Buffer.alloc(32, 0x61);
const GAS = 3_000_000n;
const STRANGER = `0x${'5a'.repeat(20)}`;
/** Box with the value 42. */
const CREATION = String(recordedPrivacy('private').steps[1]?.args['data']);
/** set(43) */
const SET = `0x60fe47b1${(43).toString(16).padStart(64, '0')}`;
const UNKNOWN_KEY = 'WgXNftriM4n+/c6JW7mp2iLb4C9UQ7wRMcAInwPplQA=';

describe('sending private transactions', () => {
  let network: PrivacyNetwork;
  let nodes: readonly RunningNode[];
  let node: RunningNode;
  beforeAll(async () => {
    network = await startPrivacyNetwork({
      keys: RECORDED_KEYS,
      accounts: recordedAccounts(3),
      flags: ['--callback-allow-private', 'true'],
    });
    ({ nodes } = network);
    node = nodes[0] as RunningNode;
  });
  afterAll(() => network?.stop());

  const post = async <T>(path: string, members: object): Promise<T> => {
    const response = await fetch(`${network.managers[0]?.url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(members),
    });
    return (await response.json()) as T;
  };
  const stored = (data: string) => storeRaw(network.managers[0] as TestManager, data);
  const signed = (nonce: bigint, data: Uint8Array, value = 0n) => {
    const envelope = privateEnvelopeOf({ nonce, gasPrice: 0n, gasLimit: GAS, value, data });
    return hexFromBytes(envelope.raw(signDigest(keccak256(envelope.preimage()), EXTERNAL)));
  };
  const mined = (hash: unknown) => Promise.all(nodes.map((one) => one.mined(String(hash))));
  const statusesOf = async (hash: unknown) => (await mined(hash)).map(({ status }) => status);

  describe('eth_sendRawPrivateTransaction and eth_distributePrivateTransaction', () => {
    it('send a stored payload, and once only', async () => {
      const raw = signed(0n, await stored(CREATION));
      const hash = await node.result<string>('eth_sendRawPrivateTransaction', [raw, { privateFor: [B] }]);
      expect(await statusesOf(hash)).toEqual(['0x1', '0x1', '0x1']);
      const again = await node.call('eth_sendRawPrivateTransaction', [raw, { privateFor: [B] }]);
      expect(again.error?.message).toMatch(/already known|nonce too low/);
      const others = await node.call('eth_sendRawPrivateTransaction', [raw, { privateFor: [UNKNOWN_KEY] }]);
      expect(reasonOf(others)).toBe('TRANSACTION_MANAGER_REFUSED');
    });

    it('distribute the signed transaction to the parties, for a marker, without submitting to the pool', async () => {
      const raw = signed(1n, await stored(CREATION));
      const carried = await node.result<string>('eth_distributePrivateTransaction', [
        raw,
        { privateFor: [B] },
      ]);
      expect(carried).toMatch(/^0x[0-9a-f]{128}$/);
      const payloads = await Promise.all(
        nodes.map((one) => one.result<string>('eth_getChainPayload', [carried])),
      );
      expect(payloads[2]).toBe('0x');
      const [own, party] = payloads.map((payload) => Buffer.from(payload.slice(2), 'hex').toString());
      expect(party).toBe(own);
      expect(JSON.parse(own ?? '')).toMatchObject({ type: '0x0', nonce: '0x1', value: '0x0', to: null });
      const sender = addressFromPrivateKey(EXTERNAL);
      expect(await node.result('eth_getTransactionCount', [sender, 'pending'])).toBe('0x1');
    });

    it('refuse before the manager is called', async () => {
      const chainId = BigInt(CHAIN_ID);
      const fees = { type: 'legacy', gasPrice: 0n } as const;
      const data = new Uint8Array(64).fill(7);
      const open = { chainId, nonce: 1n, gasLimit: GAS, value: 0n, data, fees };
      const refused = async (raw: string, more: object = {}) => {
        const answers = await Promise.all(
          ['eth_sendRawPrivateTransaction', 'eth_distributePrivateTransaction'].map((method) =>
            node.call(method, [raw, { privateFor: [B], ...more }]),
          ),
        );
        expect(new Set(answers.map(({ error }) => error?.message)).size).toBe(1);
        return answers[0]?.error?.message;
      };
      expect(await refused(hexFromBytes(signTransaction(open, EXTERNAL)))).toBe('transaction is not private');
      expect(await refused(signed(1n, data, 1n))).toContain('ether value is not supported');
      expect(await refused(signed(1n, new Uint8Array(0)))).toContain('ether value is not supported');
      expect(await refused(signed(1n, new Uint8Array(3)))).toContain('3 bytes instead of 64');
      expect(await refused(signed(1n, data), { privacyFlag: 9 })).toBe('invalid privacy flag');
      expect(await refused('0x01')).toMatch(/transaction|rlp/);
      const base64 = Buffer.from(data).toString('base64');
      const text = `404 status: Raw Transaction with hash ${base64} was not found`;
      expect(await refused(signed(1n, data))).toBe(text);
    });
  });

  describe('eth_fillTransaction and eth_sendTransaction', () => {
    it('fill in a transaction that can be signed elsewhere, for a payload that is not distributed yet', async () => {
      const filled = await node.result<{ raw: string; tx: { v: string; input: string; gas: string } }>(
        'eth_fillTransaction',
        [{ from: own, data: CREATION, privateFor: [B] }],
      );
      expect(filled.raw).toMatch(/258080$/);
      expect(filled.tx).toMatchObject({ v: '0x25', r: '0x0', s: '0x0' });
      expect(filled.tx.input).toMatch(/^0x[0-9a-f]{128}$/);
      const at = await Promise.all(
        nodes.map((one) => one.result<string>('eth_getChainPayload', [filled.tx.input])),
      );
      expect(at).toEqual(['0x', '0x', '0x']);
    });

    it('send with the estimated gas', async () => {
      const hash = await node.result('eth_sendTransaction', [{ from: own, data: CREATION, privateFor: [B] }]);
      expect(await statusesOf(hash)).toEqual(['0x1', '0x1', '0x1']);
    });

    it('sign a private transfer, which the pool refuses on every way (P-04)', async () => {
      const third = nodes[2] as RunningNode;
      const [from, to] = [third.accounts[0], nodes[1]?.accounts[0]];
      const request = { from, to, value: '0x1', gas: '0x186a0', gasPrice: '0x0', nonce: '0x0' };
      const balances = () => Promise.all([from, to].map((one) => third.result('eth_getBalance', [one])));
      const before = await balances();
      // Without data, as a transfer is, and with what the payload of a private transaction is known by.
      for (const data of [undefined, hexFromBytes(await stored(CREATION))]) {
        const { raw, tx } = await third.result<{ raw: string; tx: { v: string; hash: string } }>(
          'eth_signTransaction',
          [{ ...request, data, privateFor: [B] }],
        );
        expect(tx.v).toMatch(/^0x2[56]$/);
        for (const [method, ...more] of [
          ['eth_sendRawTransaction'],
          ['eth_sendRawPrivateTransaction', { privateFor: [B] }],
        ] as const) {
          const { error } = await third.call(method, [raw, ...more]);
          expect(error?.message).toBe('ether value is not supported for private transactions');
        }
        expect(await third.result('eth_getTransactionByHash', [tx.hash])).toBeNull();
      }
      expect(await balances()).toEqual(before);
      const refused = async (members: object) =>
        reasonOf(await third.call('eth_signTransaction', [{ ...request, privateFor: [B], ...members }]));
      expect(await refused({ data: SET })).toBe('INVALID_PAYLOAD_HASH');
      expect(await refused({ to: undefined })).toBe('EMPTY_CONTRACT_CREATION');
    });

    it.each([
      ['invalid privacy flag', { privacyFlag: 4 }],
      ['missing mandatory recipients data', { privacyFlag: 2 }],
      ['privacy metadata invalid', { privacyFlag: 1, mandatoryFor: [B] }],
      ['transaction is not private', { privateFor: undefined, privacyFlag: 1 }],
      ['contract not found. cannot transact', { privacyFlag: 1, to: STRANGER }],
      [`404 status: Recipient not found for key: ${UNKNOWN_KEY}`, { privateFor: [UNKNOWN_KEY] }],
      ['ether value is not supported', { value: '0x1' }],
    ])('refuse: %s', async (text, members) => {
      const before = await node.result('eth_getTransactionCount', [own, 'pending']);
      const request = { from: own, data: CREATION, gas: '0x2dc6c0', privateFor: [B], ...members };
      const { error } = await node.call('eth_sendTransaction', [request]);
      expect(error?.message).toContain(text);
      expect(await node.result('eth_getTransactionCount', [own, 'pending'])).toBe(before);
    });
  });

  describe('a contract with mandatory recipients', () => {
    let contract: string;
    const send = (members: object) =>
      node.call('eth_sendTransaction', [{ from: own, gas: '0x2dc6c0', privacyFlag: 2, ...members }]);
    const set = (members: object) => send({ to: contract, data: SET, ...members });

    it('is created, and its parties get its mandatory recipients', async () => {
      const { result } = await send({ data: CREATION, privateFor: [B], mandatoryFor: [B] });
      const receipts = await mined(result);
      contract = String(receipts[0]?.contractAddress);
      expect(receipts.map(({ status }) => status)).toEqual(['0x1', '0x1', '0x1']);
      const asked = nodes.map((one) => one.call('eth_getContractPrivacyMetadata', [contract]));
      const metadata = await Promise.all(asked);
      for (const { result: own } of metadata.slice(0, 2))
        expect(own).toMatchObject({ privacyFlag: 2, mandatoryFor: [B] });
      expect(reasonOf(metadata[2] ?? {})).toBe('NO_PRIVACY_METADATA');
    });

    it('changes with them, and not without', async () => {
      const refused = async (members: object) => (await set(members)).error?.message;
      expect(await refused({ privateFor: [], mandatoryFor: [B] })).toBe(
        '403 status: One or more mandatory recipients not included in the participant list',
      );
      expect(await refused({ privateFor: [B], mandatoryFor: [A] })).toMatch(
        /^403 status: Privacy metadata mismatched with Affected Txn [A-Za-z0-9+/]{86}==$/,
      );
      expect(await statusesOf((await set({ privateFor: [B], mandatoryFor: [B] })).result)).toEqual([
        '0x1',
        '0x1',
        '0x1',
      ]);
      const value = nodes.map((one) => one.result('eth_call', [{ to: contract, data: '0x3fa4f245' }]));
      expect(await Promise.all(value)).toEqual([`0x${SET.slice(10)}`, `0x${SET.slice(10)}`, '0x']);
    });
  });

  describe('eth_sendTransactionAsync', () => {
    it('sends a private transaction, and posts its hash or the error', async () => {
      const posted: { id: unknown; txHash?: string; error?: string }[] = [];
      const receiver = createServer((request, response) => {
        request.setEncoding('utf8').on('data', (text: string) => void posted.push(JSON.parse(text) as never));
        request.on('end', () => response.end());
      });
      await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
      const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      const outcomeOf = async (members: object) => {
        const before = posted.length;
        const request = { from: own, data: CREATION, gas: '0x2dc6c0', privateFor: [B], callbackUrl };
        const answer = await node.result('eth_sendTransactionAsync', [{ ...request, ...members }]);
        expect(answer).toBe(`0x${'00'.repeat(32)}`);
        await until(() => posted.length > before);
        return posted[before];
      };
      const { txHash } = (await outcomeOf({})) ?? {};
      const receipts = await mined(txHash);
      const { contractAddress } = receipts[0] ?? {};
      const codes = await Promise.all(
        nodes.map((one) => one.result<string>('eth_getCode', [contractAddress])),
      );
      expect(codes.map((code) => code.length > 2)).toEqual([true, true, false]);
      const unknown = `404 status: Recipient not found for key: ${UNKNOWN_KEY}`;
      expect(await outcomeOf({ privateFor: [UNKNOWN_KEY] })).toEqual({ id: 1, error: unknown });
      expect(await outcomeOf({ privacyFlag: 4 })).toEqual({ id: 1, error: 'invalid privacy flag' });
      const withEther = 'ether value is not supported for private transactions';
      expect(await outcomeOf({ value: '0x1' })).toEqual({ id: 1, error: withEther });
      await new Promise((done) => receiver.close(done));
    });
  });

  describe('eea_sendRawTransaction and priv_…', () => {
    const restricted = (nonce: bigint, more: Partial<RestrictedContent> = {}) => {
      const content = { nonce, chainId: BigInt(CHAIN_ID), data: bytesFromHex(CREATION), privateFrom: A };
      return signRestricted({ ...content, recipients: [B], ...more }, EXTERNAL);
    };
    const sender = parseAddress('0x'.concat('00'.repeat(20)));

    it('count the transactions of a sender in a group, and show their receipts to parties alone', async () => {
      const hash = await node.result<string>('eea_sendRawTransaction', [restricted(0n)]);
      await mined(hash);
      const shown = await Promise.all(
        nodes.map((one) =>
          one.result<{ status: string; from: string; privateFrom: string } | null>(
            'priv_getTransactionReceipt',
            [hash],
          ),
        ),
      );
      expect(shown.map((receipt) => receipt?.status)).toEqual(['0x1', '0x1', undefined]);
      expect(shown[0]).toMatchObject({ privateFrom: A, privateFor: [B], logs: [{ topics: [{}, {}] }] });
      const { from } = shown[0] as { from: string };
      const counts = nodes.map((one) => one.result('priv_getEeaTransactionCount', [from, A, [B]]));
      expect(await Promise.all(counts)).toEqual(['0x1', '0x1', '0x0']);
      expect(await node.result('priv_getTransactionCount', [sender, A])).toBe('0x0');
    });

    it('reach the members of a group that is named by its id', async () => {
      const { privacyGroupId: group } = await post<{ privacyGroupId: string }>('createPrivacyGroup', {
        addresses: [A, B],
        from: A,
        name: 'two of three',
      });
      const hash = await node.result<string>('eea_sendRawTransaction', [
        restricted(0n, { recipients: group }),
      ]);
      await mined(hash);
      const shown = await Promise.all(
        nodes.map((one) => one.result<object | null>('priv_getTransactionReceipt', [hash])),
      );
      for (const receipt of shown.slice(0, 2)) {
        expect(receipt).toMatchObject({ status: '0x1', privateFrom: A, privacyGroupId: group });
        expect(receipt).not.toHaveProperty('privateFor');
      }
      expect(shown[2]).toBeNull();
      const counts = nodes.map((one) =>
        one.result('priv_getTransactionCount', [addressFromPrivateKey(EXTERNAL), group]),
      );
      expect(await Promise.all(counts)).toEqual(['0x1', '0x1', '0x0']);
      const stranger = restricted(0n, { recipients: UNKNOWN_KEY });
      expect(reasonOf(await node.call('eea_sendRawTransaction', [stranger]))).toBe(
        'TRANSACTION_MANAGER_REFUSED',
      );
    });

    it('refuse a wrong nonce, another chain, and empty input', async () => {
      const send = (raw: string) => node.call('eea_sendRawTransaction', [raw]);
      expect(reasonOf(await send(restricted(0n)))).toBe('NONCE_TOO_LOW');
      expect(reasonOf(await send(restricted(5n)))).toBe('NONCE_TOO_HIGH');
      expect(reasonOf(await send(restricted(1n, { chainId: 9n })))).toBe('MALFORMED_TRANSACTION');
      expect(reasonOf(await send('0xc0'))).toBe('MALFORMED_TRANSACTION');
      expect((await nodes[1]?.call('eea_sendRawTransaction', [restricted(1n)]))?.error?.message).toContain(A);
    });
  });
});
