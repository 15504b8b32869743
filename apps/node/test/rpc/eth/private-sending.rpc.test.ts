import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addressFromPrivateKey, keccak256, signDigest } from '@tetrad/crypto';
import { connectDatabase } from '@tetrad/db';
import { encodeRlp } from '@tetrad/rlp';
import {
  chainOf,
  legacyFields,
  privateEnvelopeOf,
  protectedSignature,
  signTransaction,
} from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes, parseAddress, type Logger } from '@tetrad/types';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
} from '../../privacy-network.js';
import { recordedPrivacy } from '../../recorded-privacy.js';
import { CHAIN_ID, reasonOf, type RunningNode } from '../../running-node.js';

const [A, B] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string];
const [own] = recordedAccounts(1).map(({ address }) => address as string) as [string];
const EXTERNAL = Buffer.alloc(32, 0x61);
const GAS = 3_000_000n;
const STRANGER = `0x${'5a'.repeat(20)}`;
/** Stands in every payload of this file, and must stand nowhere else. */
const SECRET = Buffer.from('tetrad plaintext that is for parties alone').toString('hex');
/** Box with the value 42, and bytes behind its argument that nobody reads. */
const CREATION = `${String(recordedPrivacy('private').steps[1]?.args['data'])}${SECRET}`;
const UNKNOWN_KEY = 'WgXNftriM4n+/c6JW7mp2iLb4C9UQ7wRMcAInwPplQA=';

describe('sending private transactions', () => {
  let network: PrivacyNetwork;
  let nodes: readonly RunningNode[];
  let node: RunningNode;
  const said: string[] = [];
  const remember = (text: string, fields?: object) => void said.push(`${text} ${writeFields(fields)}`);
  const logger: Logger = { debug: remember, info: remember, warn: remember, error: remember } as Logger;

  beforeAll(async () => {
    network = await startPrivacyNetwork({ keys: RECORDED_KEYS, accounts: recordedAccounts(3), logger });
    ({ nodes } = network);
    node = nodes[0] as RunningNode;
  });
  afterAll(() => network?.stop());

  const storeRaw = async (data: string): Promise<Uint8Array> => {
    const response = await fetch(`${network.managers[0]?.url}/storeraw`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ payload: Buffer.from(data.slice(2), 'hex').toString('base64'), from: A }),
    });
    return Buffer.from(((await response.json()) as { key: string }).key, 'base64');
  };
  const signed = (nonce: bigint, data: Uint8Array, value = 0n) => {
    const envelope = privateEnvelopeOf({ nonce, gasPrice: 0n, gasLimit: GAS, value, data });
    return hexFromBytes(envelope.raw(signDigest(keccak256(envelope.preimage()), EXTERNAL)));
  };
  const mined = (hash: unknown) => Promise.all(nodes.map((one) => one.mined(String(hash))));
  const statusesOf = async (hash: unknown) => (await mined(hash)).map(({ status }) => status);

  describe('eth_sendRawPrivateTransaction and eth_distributePrivateTransaction', () => {
    it('send what was stored, and once only', async () => {
      const raw = signed(0n, await storeRaw(CREATION));
      const hash = await node.result<string>('eth_sendRawPrivateTransaction', [raw, { privateFor: [B] }]);
      expect(await statusesOf(hash)).toEqual(['0x1', '0x1', '0x1']);
      const again = await node.call('eth_sendRawPrivateTransaction', [raw, { privateFor: [B] }]);
      expect(again.error?.message).toMatch(/already known|nonce too low/);
      const others = await node.call('eth_sendRawPrivateTransaction', [raw, { privateFor: [UNKNOWN_KEY] }]);
      expect(reasonOf(others)).toBe('TRANSACTION_MANAGER_REFUSED');
    });

    it('hand the signed transaction itself to the parties, for a marker, and nothing to the pool', async () => {
      const raw = signed(1n, await storeRaw(CREATION));
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

    it('refuse before the manager hears of it', async () => {
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
    it('fill in a transaction that can be signed elsewhere, for a payload that nobody else has yet', async () => {
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

    it('send with the gas that is estimated', async () => {
      const hash = await node.result('eth_sendTransaction', [{ from: own, data: CREATION, privateFor: [B] }]);
      expect(await statusesOf(hash)).toEqual(['0x1', '0x1', '0x1']);
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

  describe('eea_sendRawTransaction and priv_…', () => {
    const restricted = (nonce: bigint, more: { readonly chainId?: bigint } = {}) => {
      const chainId = more.chainId ?? BigInt(CHAIN_ID);
      const data = bytesFromHex(CREATION);
      const fields = legacyFields({ nonce, gasPrice: 0n, gasLimit: GAS, value: 0n, data });
      const key = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
      const privacy = [key(A), [key(B)], new TextEncoder().encode('restricted')];
      const digest = keccak256(encodeRlp([...fields, ...chainOf(chainId), ...privacy]));
      const signature = protectedSignature(chainId, signDigest(digest, EXTERNAL));
      return hexFromBytes(encodeRlp([...fields, ...signature, ...privacy]));
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

    it('refuse what is out of turn, for another chain, or nothing at all', async () => {
      const send = (raw: string) => node.call('eea_sendRawTransaction', [raw]);
      expect(reasonOf(await send(restricted(0n)))).toBe('NONCE_TOO_LOW');
      expect(reasonOf(await send(restricted(5n)))).toBe('NONCE_TOO_HIGH');
      expect(reasonOf(await send(restricted(1n, { chainId: 9n })))).toBe('MALFORMED_TRANSACTION');
      expect(reasonOf(await send('0xc0'))).toBe('MALFORMED_TRANSACTION');
      expect((await nodes[1]?.call('eea_sendRawTransaction', [restricted(1n)]))?.error?.message).toContain(A);
    });
  });

  it('leaves no plaintext in logs, on the chain, in public tables, or with those who are no party', async () => {
    const contains = (text: string) =>
      text.includes(SECRET) || text.includes(Buffer.from(SECRET, 'hex').toString());
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter(contains)).toEqual([]);
    const found: string[] = [];
    for (const [index, one] of nodes.entries()) {
      const tables = await tablesWith(one.databaseUrl, contains);
      found.push(...tables.map((table) => `${index} ${table}`));
      const height = Number(await one.result('eth_blockNumber'));
      for (let number = 0; number <= height; number++) {
        const block = await one.result('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]);
        expect(contains(JSON.stringify(block))).toBe(false);
      }
    }
    // What was signed with its payload is kept by parties, in a table of private state.
    expect(found.filter((table) => !/^[01] private_/.test(table))).toEqual([]);
  });
});

/** Names of the tables in which a row holds what is looked for, as bytes or as text. */
async function tablesWith(url: string, contains: (text: string) => boolean): Promise<string[]> {
  const database = await connectDatabase({ url, poolSize: 1 });
  try {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const content = await database.pool.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
      if (content.rows.some(({ row }) => contains(row))) found.push(name);
    }
    return found;
  } finally {
    await database.close();
  }
}

function writeFields(fields: object | undefined): string {
  return JSON.stringify(fields ?? {}, (_, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Error ? `${value.name} ${value.message} ${value.stack}` : value;
  });
}
