import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  RollupAccount,
  RollupContract,
  connectEthereum,
  connectOperator,
  deriveRollupKeys,
  registerAccount,
  type OperatorClient,
  openJournalFile,
} from '@tetrad/rollup-client';
import { encodePoint, totalIndex } from '@tetrad/rollup-crypto';
import { hexFromBytes, type Address } from '@tetrad/types';
import { describeWithAnvil } from '../../../libs/rollup/chain/test/anvil-chain.js';
import {
  PythonWallet,
  isWithoutPython,
} from '../../../libs/rollup/client/test/python-wallet/python-wallet.js';
import { UNIT, startOperatorOnAnvil, type OperatorOnAnvil } from './operator-on-anvil.js';

const describeHere = (await isWithoutPython()) ? describe.skip : describeWithAnvil;
const secrets = { python: `0x${'a7'.repeat(32)}`, alice: Buffer.alloc(32, 0xa1) };
const alice = deriveRollupKeys(secrets.alice);
const ALICE_KEY = hexFromBytes(encodePoint(alice.publicKey));
const [PAYEE, HEIR] = ['5e', '6f'].map((byte) => `0x${byte.repeat(20)}`) as [Address, Address];

describeHere('a holder with the wallet in Python', () => {
  let operator: OperatorOnAnvil;
  let python: PythonWallet;
  let folder: string;
  let contract: RollupContract;
  let client: OperatorClient;
  let account: RollupAccount;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tetrad-python-wallet-'));
    operator = await startOperatorOnAnvil();
    python = PythonWallet.start();
    contract = await RollupContract.open(connectEthereum(operator.chain.url), operator.contract);
    client = connectOperator(operator.url);
    const { address } = deriveRollupKeys(Buffer.alloc(32, 0xa7));
    for (const owner of [alice.address, address])
      await operator.chain.ask('anvil_setBalance', [owner, `0x${(10n ** 20n).toString(16)}`]);
    await python.call('open', 'holder', secrets.python, operator.chain.url, operator.url, operator.contract);
  });
  afterAll(async () => {
    await account?.close();
    await client?.close();
    await contract?.client.close();
    await python?.stop();
    await operator?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const holder = (method: string, ...values: readonly unknown[]) =>
    python.call('holder', 'holder', method, ...values);
  const balance = async () => ((await holder('state')) as { balances: Record<string, number> }).balances;
  const aliceHas = async () => (await account.state()).account.balances.get(0);
  const unitsOf = async (address: Address) =>
    BigInt(await operator.chain.ask<string>('eth_getBalance', [address, 'latest'])) / UNIT;

  const passUntil = async (seconds: number) => {
    const latest = ['latest', false] as const;
    const { timestamp } = await operator.chain.ask<{ timestamp: string }>('eth_getBlockByNumber', [
      ...latest,
    ]);
    await operator.chain.passTime(seconds - Number(timestamp));
  };

  it('creates an account, which is there when its batch is final', async () => {
    expect(await holder('create_account')).toEqual({ status: 'REGISTERED' });
    expect(await holder('find_account')).toBeNull();
    expect(await registerAccount(client, contract, alice)).toBe('REGISTERED');
    expect(await operator.finalize()).toBe(1);
    expect(await holder('find_account')).toBe(1);
    const dependencies = { operator: client, contract, keys: alice, fromBlock: 0 };
    account = await RollupAccount.open({
      ...dependencies,
      openJournal: () => openJournalFile(join(folder, 'journal')),
    });
    expect(await balance()).toEqual({});
  });

  it('deposits, and redeems the deposit', async () => {
    await expect(holder('deposit', 0)).rejects.toThrow('0 units are less than the contract takes');
    await holder('deposit', 1000);
    await contract.depositEther({ accountId: 2, amount: 500n }, { key: alice.ethereumKey });
    await operator.finalize();
    expect(await holder('received')).toEqual([[[0, 1, 0, 1000, 0], totalIndex(2, 0)]]);
    expect(await holder('redeem')).toMatch(/^0x[0-9a-f]{64}$/);
    await account.redeem(totalIndex(2, 1));
    await operator.finalize();
    expect([await balance(), await aliceHas()]).toEqual([{ 0: 1000 }, 500n]);
  });

  it('pays the holder of TypeScript, and is paid by it', async () => {
    const other = ALICE_KEY.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    await expect(holder('pay', 2, other, 400)).rejects.toThrow('another public key than its holder said');
    await holder('pay', 2, ALICE_KEY, 400);
    await account.send({ toAccountId: 1, tokenId: 0, amount: 70n });
    await operator.finalize();
    expect(await account.received(totalIndex(4, 0))).toMatchObject({ fromAccountId: 1, amount: 400n });
    await account.redeem(totalIndex(4, 0));
    await holder('redeem');
    await operator.finalize();
    expect([await balance(), await aliceHas()]).toEqual([{ 0: 670 }, 830n]);
  });

  it('transfers out', async () => {
    await holder('transfer', PAYEE, 30);
    await account.send({ toAccountId: 1, tokenId: 0, amount: 25n });
    await operator.finalize();
    expect([await balance(), await unitsOf(PAYEE)]).toEqual([{ 0: 640 }, 30n]);
  });

  it('asks the contract for a redemption, which the operator makes', async () => {
    await expect(holder('claim', HEIR)).rejects.toThrow('the contract refuses: NotFrozen');
    await holder('request_redemption');
    expect(await holder('overdue_at')).toBeGreaterThan(0);
    await account.send({ toAccountId: 1, tokenId: 0, amount: 9n });
    await operator.finalize();
    expect(await holder('overdue_at')).toBe(0);
    expect(await balance()).toEqual({ 0: 665 });
  });

  it('asks for a transfer that the operator does not make, and leaves with its balance and an order', async () => {
    await holder('request_transfer', PAYEE, 100);
    await expect(holder('announce')).rejects.toThrow('the contract refuses: NotOverdue');
    await passUntil(Number(await holder('overdue_at')) - Number(await holder('announcement_time')));
    await expect(holder('freeze')).rejects.toThrow('the contract refuses: NotAnnounced');
    await holder('announce');
    await expect(holder('announce')).rejects.toThrow('the contract refuses: AlreadyAnnounced');
    await expect(holder('freeze')).rejects.toThrow('the contract refuses: NotOverdue');
    await passUntil(Number(await holder('freezes_at')));
    await holder('freeze');
    await expect(holder('request_transfer', PAYEE, 100)).rejects.toThrow('RollupFrozen');
    await holder('claim', HEIR);
    await holder('withdraw_balances');
    expect(await unitsOf(HEIR)).toBe(665n);
    await holder('withdraw_orders');
    expect(await unitsOf(HEIR)).toBe(674n);
    expect(await unitsOf(PAYEE)).toBe(30n);
    await expect(holder('withdraw_balances')).rejects.toThrow('the contract refuses: BalanceWithdrawnBefore');
    await expect(holder('withdraw_orders')).rejects.toThrow('the contract refuses: OrderWithdrawnBefore');
  });
});
