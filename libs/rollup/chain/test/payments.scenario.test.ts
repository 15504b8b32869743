import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { compile, type Artifact } from '@tetrad/compilers';
import type { Address, Hex } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import { Wallet } from 'ethers/wallet';
import { describeWithAnvil, startChain, type TestChain } from './anvil-chain.js';
import { sourcesOf } from './evm-contract.js';

const GWEI = 1_000_000_000n;
const REDIRECTION = [
  { name: 'recipient', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'to', type: 'address' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
];
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HABITS = [
  'Plain',
  'NoAnswer',
  'False',
  'Fee',
  'Reverts',
  'Reenters',
  'Burns',
  'Verbose',
  'Two',
  'Pretends',
  'Blocks',
];

describeWithAnvil('payments', () => {
  let chain: TestChain;
  let artifacts: Map<string, Artifact>;
  let till: Address;
  let token: Address;
  let [owner, friend]: Address[] = [];
  const at = new Map<string, Address>();

  beforeAll(async () => {
    chain = await startChain();
    [owner, friend] = chain.accounts as [Address, Address];
    artifacts = compile(await sourcesOf('hostile.sol'));
    for (const name of ['Till', 'OddToken', 'Reverting', 'Burning', 'Verbose', 'Reentering', 'Closed']) {
      at.set(name, await chain.create((artifacts.get(name) as Artifact).bytecode));
    }
    [till, token] = [at.get('Till') as Address, at.get('OddToken') as Address];
    await send('Till', 'addToken', [token, 10n]);
    await send('Till', 'depositEther', [], 1000n * GWEI);
    await send('OddToken', 'mint', [owner, 1_000_000n]);
    await send('Till', 'depositToken', [1, 500n]);
  });

  afterAll(() => chain?.stop());

  const codec = (name: string) => new Interface(artifacts.get(name)?.abi ?? []);
  const call = (name: string, method: string, values: readonly unknown[], value = 0n) => ({
    from: owner as Address,
    to: at.get(name) as Address,
    value,
    data: codec(name).encodeFunctionData(method, values),
  });
  const send = (name: string, method: string, values: readonly unknown[], value = 0n) =>
    chain.send(call(name, method, values, value));
  const read = async (name: string, method: string, values: readonly unknown[]) => {
    const data = await chain.ask<Hex>('eth_call', [call(name, method, values), 'latest']);
    return codec(name).decodeFunctionResult(method, data);
  };
  const rejection = async (method: string, values: readonly unknown[], value = 0n) => {
    const data = await chain.revertData(call('Till', method, values, value));
    return data === undefined ? 'accepted' : (codec('Till').parseError(data)?.name ?? data);
  };
  const owed = async (recipient: Address, tokenId: number) =>
    (await read('Till', 'owed', [recipient, tokenId]))[0] as bigint;
  const held = async (tokenId: number) => (await read('Till', 'tokens', [tokenId]))['held'] as bigint;
  const setHabit = (habit: string) => send('OddToken', 'setHabit', [HABITS.indexOf(habit)]);
  const etherOf = async (address: Address) =>
    BigInt(await chain.ask<Hex>('eth_getBalance', [address, 'latest']));

  it('of ether reach all recipients that accept them, whatever others in the list do', async () => {
    const bad = ['Reverting', 'Burning', 'Verbose', 'Reentering', 'Closed'].map(
      (name) => at.get(name) as Address,
    );
    const good = chain.accounts[5] as Address;
    const [before, last] = [await etherOf(good), await held(0)];
    await send('Till', 'payAll', [[good, ...bad, good], 0, 7n]);
    expect(await etherOf(good)).toBe(before + 14n * GWEI);
    for (const address of bad) expect(await owed(address, 0)).toBe(7n);
    expect(await held(0)).toBe(last - 7n * 7n);
  });

  it('that failed are fetched when the recipient takes them, once', async () => {
    const closed = at.get('Closed') as Address;
    const claim = await owed(closed, 0);
    expect(await rejection('payOwed', [closed, 0])).toBe('TransferFailed');
    await send('Closed', 'setOpen', []);
    await send('Till', 'payOwed', [closed, 0]);
    expect(await etherOf(closed)).toBe(claim * GWEI);
    expect(await rejection('payOwed', [closed, 0])).toBe('NothingOwed');
    expect(await rejection('payOwed', [at.get('Reentering'), 0])).toBe('TransferFailed');
  });

  it('that failed go where their recipient says, by its call or its signature, once', async () => {
    const closed = at.get('Reverting') as Address;
    const signer = Wallet.createRandom();
    const recipient = signer.address.toLowerCase() as Address;
    await setHabit('False');
    await send('Till', 'payAll', [[recipient, friend, closed], 1, 3n]);
    await setHabit('Plain');
    const to = chain.accounts[7] as Address;
    const balance = async () => (await read('OddToken', 'balanceOf', [to]))[0] as bigint;
    const before = await balance();
    const deadline = 2n ** 40n;
    const sign = (message: Record<string, unknown>, contract = till) =>
      signer.signTypedData(
        { name: 'Tetrad Rollup', version: '3', chainId: chain.chainId, verifyingContract: contract },
        { RedirectOwed: REDIRECTION },
        { recipient, tokenId: 1, to, nonce: 0, deadline, ...message },
      );
    const redirect = (signature: string, end = deadline, target = to) =>
      ['redirectOwed', [recipient, 1, target, end, signature]] as const;
    const signature = await sign({});
    const malleable = withHigherS(signature);
    for (const wrong of [
      await sign({ to: friend }),
      await sign({ nonce: 1 }),
      await sign({ tokenId: 0 }),
      await sign({ recipient: friend }),
      await sign({}, token),
      malleable,
      '0x',
      `${signature}00`,
    ])
      expect(await rejection(...redirect(wrong))).toBe('InvalidRedirection');
    expect(await rejection(...redirect(signature, deadline, friend))).toBe('InvalidRedirection');
    expect(await rejection(...redirect(await sign({ deadline: 5n }), 5n))).toBe('InvalidRedirection');
    const nowhere = `0x${'00'.repeat(20)}` as Address;
    expect(await rejection(...redirect(await sign({ to: nowhere }), deadline, nowhere))).toBe(
      'InvalidRecipient',
    );
    expect(await rejection(...redirect(await sign({ to: till }), deadline, till))).toBe('InvalidRecipient');
    await setHabit('Reverts');
    expect(await rejection(...redirect(signature))).toBe('TransferFailed');
    await setHabit('Plain');
    await send('Till', ...redirect(signature));
    expect(await balance()).toBe(before + 30n);
    expect(await rejection(...redirect(signature))).toBe('InvalidRedirection');
    // The recipient itself needs no signature.
    const own = call('Till', 'payOwedTo', [1, to]);
    expect(await chain.revertData(own)).not.toBeUndefined();
    await chain.send({ ...own, from: friend as Address });
    expect(await balance()).toBe(before + 60n);
  });

  it.each(['False', 'Reverts', 'Reenters', 'Burns'])(
    'of a token that %s are owed, and paid once it behaves',
    async (habit) => {
      const recipient = friend as Address;
      const before = (await read('OddToken', 'balanceOf', [recipient]))[0] as bigint;
      await setHabit(habit);
      await send('Till', 'payAll', [[recipient, recipient], 1, 3n]);
      expect(await owed(recipient, 1)).toBe(6n);
      await setHabit('Plain');
      await send('Till', 'payOwed', [recipient, 1]);
      expect((await read('OddToken', 'balanceOf', [recipient]))[0]).toBe(before + 60n);
      expect(await owed(recipient, 1)).toBe(0n);
    },
  );

  it('of a token that answers nothing are paid, as such tokens mean it', async () => {
    const before = (await read('OddToken', 'balanceOf', [friend]))[0] as bigint;
    await setHabit('NoAnswer');
    await send('Till', 'payAll', [[friend], 1, 2n]);
    expect((await read('OddToken', 'balanceOf', [friend]))[0]).toBe(before + 20n);
    await setHabit('Plain');
  });

  it('of a token that answers 60,000 bytes are paid, and cost the one who pays no memory', async () => {
    const before = (await read('OddToken', 'balanceOf', [friend]))[0] as bigint;
    const gasOf = async (habit: string) => {
      await setHabit(habit);
      return Number((await send('Till', 'payAll', [[friend], 1, 2n])).gasUsed);
    };
    const plain = await gasOf('Plain');
    // The memory of the token itself costs 12,500; copying it into that of the contract would cost as much again, and more a word.
    expect((await gasOf('Verbose')) - plain).toBeLessThan(16_000);
    expect((await read('OddToken', 'balanceOf', [friend]))[0]).toBe(before + 40n);
    await setHabit('Plain');
  });

  it('of a token that blocks one recipient reach the others, and go elsewhere as the blocked one says', async () => {
    const [blocked, other] = [chain.accounts[8], chain.accounts[9]] as [Address, Address];
    await send('OddToken', 'setBlocked', [blocked]);
    await setHabit('Blocks');
    await send('Till', 'payAll', [[blocked, other], 1, 2n]);
    expect([await owed(blocked, 1), await owed(other, 1)]).toEqual([2n, 0n]);
    expect(await rejection('payOwed', [blocked, 1])).toBe('TransferFailed');
    const before = (await read('OddToken', 'balanceOf', [other]))[0] as bigint;
    await chain.send({ ...call('Till', 'payOwedTo', [1, other]), from: blocked });
    expect((await read('OddToken', 'balanceOf', [other]))[0]).toBe(before + 20n);
    await setHabit('Plain');
  });

  it.each(['False', 'Fee', 'Reverts', 'Reenters', 'Two', 'Pretends'])(
    'into the contract by a token that does %s are refused',
    async (habit) => {
      await setHabit(habit);
      expect(await rejection('depositToken', [1, 5n])).toBe('TransferFailed');
      await setHabit('Plain');
      expect(await rejection('depositToken', [1, 5n])).toBe('accepted');
    },
  );

  it('never let the contract hold 2^64 units of a token', async () => {
    await send('OddToken', 'mint', [owner, 2n ** 70n]);
    const room = 2n ** 64n - 1n - (await held(1));
    expect(await rejection('depositToken', [1, room])).toBe('accepted');
    expect(await rejection('depositToken', [1, room + 1n])).toBe('LimitExceeded');
  });

  it('of more than is held, or of a token that there is not, fail whole', async () => {
    expect(await rejection('payAll', [[friend], 0, 10_000n])).not.toBe('accepted');
    expect(await rejection('payAll', [[friend], 9, 1n])).toBe('UnknownToken');
    expect(await rejection('depositToken', [0, 1n])).toBe('UnknownToken');
    expect(await rejection('depositEther', [], GWEI + 1n)).toBe('InvalidAmount');
    expect(await rejection('addToken', [friend, 1n])).toBe('InvalidToken');
    expect(await etherOf(till)).toBeGreaterThan(0n);
  });
});

/** The other signature of the same key and message, which chains since Homestead refuse in transactions. */
function withHigherS(signature: string): string {
  const s = SECP256K1_ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.slice(130) === '1b' ? '1c' : '1b';
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`;
}
