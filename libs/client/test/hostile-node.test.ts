import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient, http, parseTransaction, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  UnexpectedReceiptError,
  UnexpectedTransactionError,
  extensionActions,
  permissionActions,
  privateActions,
} from '../src/index.js';
import { startWireDouble, type WireDouble } from './wire-double.js';

const TO = `0x${'11'.repeat(20)}` as const;
const HASH = `0x${'33'.repeat(32)}` as const;
const DIGEST = `0x${'44'.repeat(64)}` as const;
/** Of a token, to whom the node likes. */
const TRANSFER = `0xa9059cbb${'66'.repeat(64)}` as const;
const PRECOMPILE = '0x000000000000000000000000000000000000007a';
/** As long as an answer may be for viem, about. */
const ENORMOUS = `0x${'f'.repeat(2 ** 20)}`;
const account = privateKeyToAccount(`0x${'55'.repeat(32)}`);

let double: WireDouble;
beforeEach(async () => {
  double = await startWireDouble();
});
afterEach(() => double.stop());

const client = () =>
  createClient({ transport: http(double.url, { retryCount: 0 }), pollingInterval: 5 })
    .extend(privateActions())
    .extend(permissionActions())
    .extend(extensionActions());

const filled = { nonce: '0x0', gasPrice: '0x0', gas: '0x15', value: '0x0', input: DIGEST, to: TO };
const fill = (change: object) =>
  double.answers.set('eth_fillTransaction', () => ({ raw: '0x', tx: { ...filled, ...change } }));
const send = (marker: boolean) =>
  client().sendPrivateTransaction({ account, to: TO, data: '0x01', privateFor: [], marker });
const signed = () =>
  double.heard.filter(({ method }) => /^eth_send|^eth_distribute/.test(method)).map(({ method }) => method);
const problemOf = async (failing: Promise<unknown>) => {
  const error = await failing.then(
    () => undefined,
    (one: unknown) => one as Error,
  );
  expect(error?.message.length).toBeLessThan(1_000);
  return error;
};

describe('a local key of a hostile node', () => {
  it('signs a marker to the precompile, whatever the node calls it', async () => {
    fill({});
    double.answers.set('eth_chainId', () => '0x539');
    double.answers.set('eth_getPrivacyPrecompileAddress', () => TO);
    double.answers.set('eth_distributePrivateTransaction', () => DIGEST);
    double.answers.set('eth_sendRawTransaction', () => HASH);
    expect(await send(true)).toBe(HASH);
    const raw = double.heard.find(({ method }) => method === 'eth_sendRawTransaction')?.params[0] as Hex;
    expect(parseTransaction(raw)).toMatchObject({ to: PRECOMPILE, data: DIGEST });
  });

  it.each([TRANSFER, '0x', ENORMOUS, null, { length: 130 }])(
    'signs no marker with data that the node has chosen',
    async (data) => {
      fill({});
      double.answers.set('eth_distributePrivateTransaction', () => data);
      expect(await problemOf(send(true))).toBeInstanceOf(UnexpectedTransactionError);
      expect(signed()).toEqual(['eth_distributePrivateTransaction']);
    },
  );

  it.each([
    ['gas', ENORMOUS],
    ['gasPrice', `0x1${'0'.repeat(16)}`],
    ['nonce', 'constructor'],
    ['nonce', 7],
    ['value', undefined],
    ['gas', {}],
    ['input', ENORMOUS],
    ['input', ['0x']],
  ])('signs nothing with such a %s', async (field, value) => {
    fill({ [field]: value });
    expect(await problemOf(send(false))).toBeInstanceOf(UnexpectedTransactionError);
    expect(signed()).toEqual([]);
  });
});

describe('answers of a hostile node', () => {
  it.each([`0x${'34'.repeat(32)}`, ENORMOUS, undefined, null])(
    'are refused when a receipt is of another transaction',
    async (transactionHash) => {
      const receipt = { transactionHash, status: '0x1', blockNumber: '0x1', logs: [] };
      double.answers.set('eth_getTransactionReceipt', () => receipt);
      expect(await problemOf(client().waitForPrivateReceipt({ hash: HASH }))).toBeInstanceOf(
        UnexpectedReceiptError,
      );
    },
  );

  it.each(['constructor', 'length', '__proto__', -1, 1.5, 99, null])(
    'give the status unknown for %j',
    async (status) => {
      double.answers.set('chainPermission_acctList', () => [{ acctId: TO, status }]);
      double.answers.set('chainPermission_orgList', () => [{ orgId: '__proto__', status, subOrgList: null }]);
      expect(await client().acctList()).toEqual([{ acctId: TO, status: 'unknown' }]);
      expect(await client().orgList()).toEqual([{ orgId: '__proto__', status: 'unknown', subOrgList: [] }]);
    },
  );

  it('are handed to a listener for errors, and a watch goes on', async () => {
    const answers: unknown[] = [null, [null], { length: 1 }, 'text', []];
    double.answers.set('chainExtension_activeExtensionContracts', () =>
      answers.length > 0 ? answers.shift() : [],
    );
    let errors = 0;
    const unwatch = client().watchExtensions({ onActive: () => undefined, onError: () => (errors += 1) });
    while (answers.length > 0) await new Promise((done) => setTimeout(done, 5));
    unwatch();
    expect(errors).toBe(4);
  });
});
