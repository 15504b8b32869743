import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GROUP_ORDER, decodeWord, multiplyGenerator } from '@tetrad/rollup-crypto';
import { ACCOUNT_TREE_DEPTH, MAX_ACCOUNTS, rootOfPath } from '@tetrad/rollup-state';
import { bytesFromHex } from '@tetrad/types';
import { AccountHolder } from '../../account-holder.js';
import { TOKEN, startOperator, type RunningOperator } from '../../running-operator.js';

let operator: RunningOperator;
const alice = new AccountHolder(1, 1);
const late = new AccountHolder(2, 2);
const ZERO_WORD = `0x${'00'.repeat(32)}`;

beforeAll(async () => {
  operator = await startOperator();
  await operator.result('pazkp_createAccount', alice.registration());
  await operator.deposit(1, TOKEN, 2n ** 60n);
  await operator.finalize();
  const [received] = (
    await operator.store.listReceivedOrders({ toAccountId: 1, fromTotalIndex: 0, upToHeight: 9, limit: 1 })
  ).values();
  if (received === undefined) throw new Error('no order');
  await operator.result('pazkp_redeemMoneyOrder', alice.redemption(received.order, received.totalIndex, 1));
  await operator.finalize();
  await operator.result('pazkp_createAccount', late.registration());
  await operator.execute();
});
afterAll(() => operator.stop());

const replaced = (params: readonly string[], index: number, value: string) =>
  params.map((param, place) => (place === index ? value : param));
const flipped = (hex: string, at = -1) => {
  const place = at < 0 ? hex.length + at : at;
  return `${hex.slice(0, place)}${hex[place] === '0' ? '1' : '0'}${hex.slice(place + 1)}`;
};

describe('pazkp_createAccount', () => {
  const status = (params: readonly string[]) => operator.result('pazkp_createAccount', params);

  it('registers a key once', async () => {
    const holder = new AccountHolder(9, 90);
    expect(await status(holder.registration())).toEqual({ status: 'REGISTERED' });
    expect(await status(holder.registration())).toEqual({ status: 'PUBLIC_KEY_ALREADY_EXISTS' });
    const params = new AccountHolder(9, 91).registration();
    const both = await Promise.all([status(params), status(new AccountHolder(9, 91).registration())]);
    expect(both.map((one) => one['status']).includes('REGISTERED')).toBe(true);
    const { rows } = await operator.database.pool.query('SELECT FROM account WHERE public_key = $1', [
      Buffer.from(bytesFromHex(params[0] as string)),
    ]);
    expect(rows).toHaveLength(1);
  });

  it('takes a text that says the whole account, or the blinding factor alone, and nothing else', async () => {
    const texts: ((words: readonly bigint[]) => readonly bigint[])[] = [
      (words) => words,
      (words) => words.slice(0, 1),
      (words) => words.with(1, 5n),
      (words) => words.with(4, 5n),
      (words) => words.with(0, 5n),
      (words) => words.slice(0, 4),
      (words) => [...words, 0n],
    ];
    const statuses = await Promise.all(
      texts.map((text, index) => status(new AccountHolder(9, 120 + index).registration(text))),
    );
    const [whole, short, ...others] = statuses.map((one) => one['status']);
    expect([whole, short]).toEqual(['REGISTERED', 'REGISTERED']);
    expect(others).toEqual(others.map(() => 'INVALID_ENCRYPTION'));
  });

  it.each([
    ['a key off the curve', 0, (hex: string) => flipped(hex), 'INVALID_PUBLIC_KEY'],
    ['the key of infinity', 0, () => `0x${'00'.repeat(64)}`, 'INVALID_PUBLIC_KEY'],
    ['a joint key off the curve', 1, (hex: string) => flipped(hex, 20), 'INVALID_JOINT_ENCRYPTION_KEY'],
    ['another blinding factor than the encrypted one', 2, (hex: string) => flipped(hex), 'INVALID_SIGNATURE'],
    ['a ciphertext of the wrong length', 3, (hex: string) => hex.slice(0, -64), 'INVALID_ENCRYPTION'],
    [
      'a ciphertext that says there are more words',
      3,
      (hex: string) => flipped(hex, 17),
      'INVALID_ENCRYPTION',
    ],
    ['an empty ciphertext', 3, () => '0x', 'INVALID_ENCRYPTION'],
    ['a randomization factor of another text', 4, (hex: string) => flipped(hex), 'INVALID_ENCRYPTION'],
    ['a randomization factor of zero', 4, () => ZERO_WORD, 'INVALID_ENCRYPTION'],
    ['a randomization factor out of range', 4, () => `0x${GROUP_ORDER.toString(16)}`, 'INVALID_ENCRYPTION'],
    ['another signature', 5, (hex: string) => flipped(hex), 'INVALID_SIGNATURE'],
    ['an s out of range', 5, (hex: string) => hex.slice(0, -64) + 'f'.repeat(64), 'INVALID_SIGNATURE'],
    ['an R off the curve', 5, (hex: string) => flipped(hex, 3), 'INVALID_SIGNATURE'],
  ])('answers %s with a status, and stores nothing', async (_, index, change, expected) => {
    const params = new AccountHolder(9, 77).registration();
    expect(await status(replaced(params, index, change(params[index] as string)))).toEqual({
      status: expected,
    });
    const { rows } = await operator.database.pool.query('SELECT FROM account WHERE public_key = $1', [
      Buffer.from(bytesFromHex(params[0] as string)),
    ]);
    expect(rows).toEqual([]);
  });

  it('refuses the joint key of another operator', async () => {
    const params = new AccountHolder(9, 78, multiplyGenerator(24n)).registration();
    expect(await status(params)).toEqual({ status: 'INVALID_JOINT_ENCRYPTION_KEY' });
  });

  it.each([0, 1, 2, 4, 5])('names parameter %i when its length is wrong or it is missing', async (index) => {
    const params = new AccountHolder(9, 79).registration();
    for (const value of [`${params[index] as string}00`, null, 7]) {
      const { error } = await operator.call('pazkp_createAccount', [
        ...params.slice(0, index),
        value,
        ...params.slice(index + 1),
      ]);
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(NAMES[index] as string) });
    }
  });

  it('refuses further accounts when the tree has no place left, and takes them when it has', async () => {
    const nextId = (id: number) =>
      operator.database.pool.query('UPDATE sequence_head SET next_account_id = $1, version = version + 1', [
        id,
      ]);
    const { nextAccountId } = await operator.store.readHead();
    const params = new AccountHolder(9, 92).registration();
    await nextId(MAX_ACCOUNTS);
    try {
      expect(await operator.rejection('pazkp_createAccount', params)).toBe('ROLLUP_FULL');
      expect((await operator.call('pazkp_createAccount', params)).error?.message).toContain('268435455');
    } finally {
      await nextId(nextAccountId);
    }
    expect(await status(params)).toEqual({ status: 'REGISTERED' });
  });

  it('refuses a blinding factor that is not a field element', async () => {
    const { error } = await operator.call(
      'pazkp_createAccount',
      replaced(alice.registration(), 2, `0x${'ff'.repeat(32)}`),
    );
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('blindingFactor') });
  });
});

const NAMES = [
  'publicKey',
  'jointEncryptionKey',
  'blindingFactor',
  'encryptedBlindingFactor',
  'randomizationFactor',
  'signature',
];

describe('pazkp_findAccountById and pazkp_findAccountByPublicKey', () => {
  it('give the public details, at the top and under account', async () => {
    const details = { id: 1, publicKey: alice.publicKey, jointEncryptionKey: alice.registration()[1] };
    const expected = { ...details, account: details };
    expect(await operator.result('pazkp_findAccountById', [1])).toEqual(expected);
    expect(await operator.result('pazkp_findAccountById', ['0x1'])).toEqual(expected);
    expect(await operator.result('pazkp_findAccountByPublicKey', [alice.publicKey])).toEqual(expected);
    expect(await operator.result('pazkp_findAccountByPublicKey', [alice.publicKey.slice(2)])).toEqual(
      expected,
    );
  });

  it('give null until the account is final, and for unknown accounts', async () => {
    expect(await operator.result('pazkp_findAccountByPublicKey', [late.publicKey])).toBeNull();
    for (const id of [0, 3, 4, 2 ** 28, 2 ** 32 - 1]) {
      expect(await operator.result('pazkp_findAccountById', [id])).toBeNull();
    }
    expect(await operator.result('pazkp_findAccountByPublicKey', [`0x${'11'.repeat(64)}`])).toBeNull();
  });
});

describe('pazkp_getAccountNonce and pazkp_getAccountState', () => {
  it('give the nonce of the last executed operation, and the final state', async () => {
    const transfer = alice.transfer('0xca843569e3427144cead5e4d5999a3d0ccf92b8e', TOKEN, 5n, 2);
    await operator.result('pazkp_createOutboundTransfer', transfer);
    await operator.execute();
    expect(await operator.result('pazkp_getAccountNonce', [1])).toMatchObject({ id: 1, nonce: 2 });
    const state = await operator.result('pazkp_getAccountState', [1]);
    const height = await operator.store.finalHeight();
    expect(state).toMatchObject({ id: 1, publicKey: alice.publicKey, nonce: 1, balances: { 1: 2n ** 60n } });
    const path = state['merkleProof'] as string[];
    expect(path).toHaveLength(ACCOUNT_TREE_DEPTH + 1);
    const words = path.map((one) => decodeWord(bytesFromHex(one)));
    const leaf = decodeWord(bytesFromHex(state['rootHash'] as string));
    const batch = await operator.store.findBatch(height);
    expect(rootOfPath(leaf, 1, words.slice(0, ACCOUNT_TREE_DEPTH))).toBe(batch?.roots?.account);
    expect(rootOfPath(leaf, 1, words)).toBe(batch?.roots?.state);
  });

  it.each(['pazkp_getAccountNonce', 'pazkp_getAccountState'])(
    '%s refuses unknown accounts',
    async (method) => {
      for (const id of [0, 3, 77, 2 ** 28, 2 ** 32 - 1]) {
        expect(await operator.rejection(method, [id])).toBe('ROLLUP_ACCOUNT_NOT_FOUND');
      }
      expect(await operator.rejection(method, [-1])).toBe('INVALID_PARAMS');
      expect(await operator.rejection(method, [2 ** 32])).toBe('INVALID_PARAMS');
    },
  );
});
