import { describe, expect, it } from '@jest/globals';
import { Transaction } from 'ethers/transaction';
import { describeSignedFor } from '../clients/signed-for.js';
import { KB_ADDRESS } from '../reference-keys.js';
import { referenceRaw } from '../reference-raw.js';
import type { RpcAnswer } from '../running-signer.js';

const RECIPIENT = `0x${'ab'.repeat(20)}`;

/** Deploys a contract that keeps one number, 10 at first: `set(uint256)`, `get()`. */
const STORAGE = Transaction.from(referenceRaw(45)).data;
/** What stays on the chain: between the constructor, which ends with `return` and `stop`, and its argument. */
const STORAGE_RUNTIME = `0x${STORAGE.slice(STORAGE.indexOf('6000f300') + 8, -64)}`;
const GET = '0x6d4ce63c';
const set = (value: bigint) => `0x60fe47b1${value.toString(16).padStart(64, '0')}`;

const MUCH = `0x${(10n ** 30n).toString(16)}`;

describeSignedFor('what is signed', (started) => {
  describe('the methods', () => {
    it('eth_accounts lists the key of the proxy, and the client has none (SP-04)', async () => {
      const { signer, client } = started();
      expect(await signer.call('eth_accounts')).toMatchObject({ status: 200, result: [KB_ADDRESS] });
      expect(await client.result('eth_accounts')).toEqual([]);
    });

    it.each([
      ['that do not exist (SP-06)', 'no_such_method'],
      ['of a module that the client has not switched on (SP-07)', 'ibft_getSnapshot'],
    ])('%s get the client’s answer', async (_what, method) => {
      const { signer, client } = started();
      const said = await client.ask(method);
      expect(said.error?.code).toBeLessThan(0);
      expect(await signer.call(method)).toEqual({ ...said, status: 200 });
    });

    it('of the client and the proxy may be mixed in a batch', async () => {
      const batch = [
        '{"jsonrpc":"2.0","id":"a","method":"eth_accounts"}',
        '{"jsonrpc":"2.0","id":2,"method":"eth_chainId","params":[]}',
        '{"jsonrpc":"2.0","id":3,"method":"no_such_method","params":[]}',
      ];
      const { text } = await started().signer.post(`[${batch.join(',')}]`);
      expect(JSON.parse(text)).toMatchObject([
        { id: 'a', result: [KB_ADDRESS] },
        { id: 2, result: '0x539' },
        { id: 3, error: { code: -32601 } },
      ]);
    });
  });

  describe('transfers', () => {
    it('move exactly their value (SP-17)', async () => {
      const before = await started().balance(RECIPIENT);
      await started().sent({ to: RECIPIENT, value: '0x64', gas: '0x5208', gasPrice: '0x1' });
      expect((await started().balance(RECIPIENT)) - before).toBe(100n);
    });

    it('of more than there is get the client’s rejection with 200, and move nothing (SP-18)', async () => {
      const balances = async () => [await started().balance(KB_ADDRESS), await started().balance(RECIPIENT)];
      const before = await balances();
      const answer = await started().send({ to: RECIPIENT, value: MUCH });
      expect(answer.status).toBe(200);
      expect(answer.error?.message).toMatch(/insufficient funds/i);
      expect(await balances()).toEqual(before);
    });

    it.each([
      ['SP-19', '0x223b55228fb22b89f2216b7222e5522b8222bd22', -32000],
      ['SP-35', '0x1577919ae5df4941180eac211965f275cdce314d0', -32000],
      ['SP-36', '0xb60e8dd61c5d32be8058bb8eb970870f07233XXX', -32000],
      ['SP-37', '', -32602],
    ])('%s: from %j are refused, and nothing moves', async (_scenario, from, code) => {
      const before = [await started().count(), await started().balance(RECIPIENT)];
      expect(await started().send({ from, to: RECIPIENT, value: '0x1' })).toMatchObject({
        status: 400,
        error: {
          code,
          message: code === -32000 ? 'No unlocked account matches the Sender' : 'Invalid params',
        },
      });
      expect([await started().count(), await started().balance(RECIPIENT)]).toEqual(before);
    });

    it('of a value that is not a number are refused (SP-44)', async () => {
      expect(await started().send({ to: RECIPIENT, value: 'not numeric' })).toMatchObject({
        status: 400,
        error: { code: -32602, message: 'Invalid params' },
      });
    });

    it.each([
      ['in mixed case (SP-38)', KB_ADDRESS.replace('ceb828dbd', 'CEB828DBD')],
      ['without 0x (SP-39)', KB_ADDRESS.slice(2)],
    ])('%s come from the account', async (_how, from) => {
      expect(await started().sent({ from, to: RECIPIENT })).toMatchObject({ from: KB_ADDRESS });
    });

    it.each([
      ['no gas (SP-42)', {}],
      ['gas of null (SP-43)', { gas: null }],
    ])('with %s and no price take the defaults', async (_what, members) => {
      expect(await started().sent({ to: RECIPIENT, value: '0x1', ...members })).toMatchObject({
        from: KB_ADDRESS,
        to: RECIPIENT,
        gas: '0x15f90',
        gasPrice: '0x0',
        type: '0x0',
      });
    });

    it.each([
      ['0x1', { accessList: [] }],
      ['0x2', { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }],
    ])('are of type %s when they say so', async (type, members) => {
      expect(await started().sent({ to: RECIPIENT, ...members })).toMatchObject({ type, from: KB_ADDRESS });
    });

    it('signed and not sent are taken by the client as they are', async () => {
      const { client, signer } = started();
      const nonce = await started().count();
      const params = [{ from: KB_ADDRESS, to: RECIPIENT, value: '0x1', nonce }];
      const { result } = await signer.call('eth_signTransaction', params);
      // Signed transactions are forwarded.
      const sent = await signer.call('eth_sendRawTransaction', [result]);
      expect((await client.mined(sent.result)).status).toBe('0x1');
    });
  });

  describe('contracts', () => {
    const get = async (to: string | null) =>
      BigInt(
        ((await started().signer.call('eth_call', [{ to, data: GET }, 'latest'])) as RpcAnswer)
          .result as string,
      );

    it('are deployed, called and changed (SP-20)', async () => {
      const { client, signer } = started();
      const { hash } = await started().sent({ data: STORAGE, gas: '0x30d40' });
      const { contractAddress } = await client.mined(hash);
      expect((await signer.call('eth_getCode', [contractAddress, 'latest'])).result).toBe(STORAGE_RUNTIME);
      const before = await get(contractAddress);
      expect(before).toBe(10n);
      await started().sent({ to: contractAddress, data: set(before + 7n) });
      expect((await get(contractAddress)) - before).toBe(7n);
    });

    it.each([
      ['no recipient', {}],
      ['a recipient of null', { to: null }],
      ['an empty recipient (SP-40)', { to: '' }],
      ['a recipient of 0x (SP-41)', { to: '0x' }],
    ])('are created with %s', async (_what, members) => {
      const { hash, to } = await started().sent({ data: STORAGE, gas: '0x30d40', ...members });
      expect(to).toBeNull();
      expect((await started().client.mined(hash)).contractAddress).toMatch(/^0x[0-9a-fA-F]{40}$/);
    });
  });
});
