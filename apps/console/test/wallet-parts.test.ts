import { describe, expect, it } from '@jest/globals';
import { differenceOf } from '../page/src/abi/sent-call.js';
import { walletOf, type Provider } from '../page/src/wallet/wallet-announcement.js';
import { accountsOf, sendByWallet, walletTransaction } from '../page/src/wallet/wallet-requests.js';

const SVG = 'data:image/svg+xml;base64,PHN2Zy8+';
const info = { uuid: '1', name: 'Wallet', rdns: 'io.example', icon: SVG };
const provider: Provider = { request: () => Promise.resolve(null) };

describe('the announcement of a wallet', () => {
  it('is taken with its name, and its icon as an image that holds itself', () => {
    expect(walletOf({ detail: { info, provider } })).toEqual({ ...info, provider });
  });

  it.each([
    ['from elsewhere', 'https://evil.example/pixel.png'],
    ['of a script', 'javascript:alert(1)'],
    ['of a page', 'data:text/html,<script>alert(1)</script>'],
    ['of a type that begins like one', 'data:image/svg+xmlish,x'],
    ['of too many bytes', `data:image/png;base64,${'A'.repeat(100_001)}`],
    ['of no text', 5],
  ])('loses an icon %s', (_, icon) => {
    expect(walletOf({ detail: { info: { ...info, icon }, provider } })).toMatchObject({ icon: undefined });
  });

  it('of another form is no wallet, even when reading it throws', () => {
    const throws = Object.defineProperty({}, 'info', {
      get() {
        throw new Error('no');
      },
    });
    for (const detail of [
      undefined,
      null,
      5,
      {},
      { info },
      { info, provider: {} },
      { info: {}, provider },
      throws,
    ])
      expect(walletOf({ detail })).toBeUndefined();
    expect(walletOf({ detail: { info: { ...info, uuid: '' }, provider } })).toBeUndefined();
  });

  it('cuts names', () => {
    const long = { ...info, name: 'x'.repeat(1_000_000), rdns: 'y'.repeat(1_000) };
    const wallet = walletOf({ detail: { info: long, provider } });
    expect([wallet?.name.length, wallet?.rdns.length]).toEqual([60, 60]);
  });
});

const ADDRESS = `0x${'ab'.repeat(20)}`;
const HASH = `0x${'12'.repeat(32)}`;
const transaction = walletTransaction({ from: ADDRESS, to: ADDRESS, data: '0x12', value: 5n }, 1337n);
const request = { method: 'eth_sendTransaction', params: [transaction] };
const call = { chainId: 1337n, text: JSON.stringify(request) };

/** A wallet that answers as given, and what it was asked. */
function wallet(answers: Readonly<Record<string, () => unknown>>) {
  const asked: { method: string; params?: readonly unknown[] }[] = [];
  const asks: Provider = {
    async request(request) {
      asked.push(request);
      return answers[request.method]?.();
    },
  };
  return { asked, asks };
}
const refuse = (code: number | undefined) => () => {
  throw Object.assign(new Error('words of the wallet'), { code });
};

describe('what was sent', () => {
  const confirmed = { from: ADDRESS, to: ADDRESS, data: '0xAB', value: 5n };
  const mined = { from: ADDRESS.toUpperCase().replace('X', 'x'), to: ADDRESS, input: '0xab', value: 5n };

  it('is compared with what was confirmed', () => {
    const other = `0x${'12'.repeat(20)}`;
    expect(differenceOf(confirmed, mined)).toBeUndefined();
    expect(differenceOf(confirmed, { ...mined, from: other })).toBe('its sender');
    expect(differenceOf(confirmed, { ...mined, to: other })).toBe('its recipient');
    expect(differenceOf(confirmed, { ...mined, to: null })).toBe('its recipient');
    expect(differenceOf(confirmed, { ...mined, input: '0xabcd' })).toBe('its data');
    expect(differenceOf(confirmed, { ...mined, value: 6n })).toBe('its value');
  });
});

describe('sending by a wallet', () => {
  it('asks once, for the call that was confirmed, on its chain', async () => {
    const { asked, asks } = wallet({ eth_chainId: () => '0x539', eth_sendTransaction: () => HASH });
    expect(await sendByWallet(asks, call)).toEqual({ kind: 'done', result: HASH });
    expect(asked).toEqual([{ method: 'eth_chainId' }, request]);
    expect(transaction).toEqual({ from: ADDRESS, to: ADDRESS, data: '0x12', value: '0x5', chainId: '0x539' });
  });

  it.each([
    [
      'another chain',
      { eth_chainId: () => '0x1' },
      'the wallet is on chain 1, and the call is for chain 1337',
    ],
    ['no chain', { eth_chainId: () => '<b>' }, 'another form'],
    ['an error', { eth_chainId: refuse(4900) }, 'words of the wallet'],
  ])('asks for no signature on %s', async (_, answers, message) => {
    const { asked, asks } = wallet(answers);
    expect(await sendByWallet(asks, call)).toEqual({
      kind: 'unsent',
      message: expect.stringContaining(message),
    });
    expect(asked.map(({ method }) => method)).toEqual(['eth_chainId']);
  });

  it.each([
    [4001, 'unsent'],
    [4100, 'unsent'],
    [-32602, 'unsent'],
    [-32603, 'unknown'],
    [-32000, 'unknown'],
    [4900, 'unknown'],
    [undefined, 'unknown'],
  ])('says what an error of code %p means: %s', async (code, kind) => {
    const { asks } = wallet({ eth_chainId: () => 1337, eth_sendTransaction: refuse(code) });
    expect(await sendByWallet(asks, call)).toEqual({ kind, message: 'words of the wallet' });
  });

  it('does not take another answer for a hash', async () => {
    const { asks } = wallet({ eth_chainId: () => '1337', eth_sendTransaction: () => '0x12<script>' });
    expect((await sendByWallet(asks, call)).kind).toBe('unknown');
  });

  it('takes accounts that are addresses, and not too many', async () => {
    const accounts = Array(200).fill(ADDRESS.toUpperCase().replace('X', 'x'));
    expect(await accountsOf(wallet({ eth_requestAccounts: () => accounts }).asks)).toEqual(
      Array(50).fill(ADDRESS),
    );
    for (const answer of [undefined, 'x', [5], ['<img>']])
      await expect(accountsOf(wallet({ eth_requestAccounts: () => answer }).asks)).rejects.toThrow('form');
  });
});
