import { expect, it } from '@jest/globals';
import { Wallet } from 'ethers';
import { hexFromBytes } from '@tetrad/types';
import { CLIENT_CHAIN } from '../clients/ethereum-client.js';
import { describeSignedFor } from '../clients/signed-for.js';
import type { RpcAnswer } from '../running-signer.js';
import { KB } from '../reference-keys.js';

const RECIPIENT = `0x${'cd'.repeat(20)}`;
const quantity = (value: number) => `0x${value.toString(16)}`;
const upFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describeSignedFor('nonces', (started) => {
  const minedNonce = async (answer: RpcAnswer) => Number((await started().taken(answer))['nonce']);
  const nonceOf = async (transaction: object) => minedNonce(await started().send(transaction));
  /** Signs with the key of the proxy behind its back. */
  const sendElsewhere = async (nonce: number) => {
    const request = { to: RECIPIENT, gasLimit: 21_000, gasPrice: 0, chainId: CLIENT_CHAIN, type: 0, nonce };
    const raw = await new Wallet(hexFromBytes(KB)).signTransaction(request);
    await started().client.mined(await started().client.result('eth_sendRawTransaction', [raw]));
  };

  it.each([
    ['none (SP-33)', {}],
    ['null (SP-34)', { nonce: null }],
  ])('that the caller gives as %s are the next ones', async (_what, members) => {
    const next = await started().count();
    expect(await nonceOf({ to: RECIPIENT, ...members })).toBe(next);
    expect(await nonceOf({ to: RECIPIENT, ...members })).toBe(next + 1);
  });

  it('that another wallet has used are skipped, and callers see nothing of it (SP-47, SP-48)', async () => {
    const next = await started().count();
    expect(await nonceOf({ to: RECIPIENT })).toBe(next);
    await sendElsewhere(next + 1);
    await sendElsewhere(next + 2);
    expect(await nonceOf({ to: RECIPIENT })).toBe(next + 3);
  });

  it('given for fifty transfers in a row are taken, and all are mined (SP-56)', async () => {
    const first = await started().count();
    const before = await started().balance(RECIPIENT);
    const hashes: unknown[] = [];
    await started().client.sendingAhead(async () => {
      for (const nonce of upFrom(first, 50)) {
        const { result, error } = await started().send({
          to: RECIPIENT,
          value: '0x3',
          nonce: quantity(nonce),
        });
        expect(error).toBeUndefined();
        hashes.push(result);
      }
    });
    for (const hash of hashes) expect((await started().client.mined(hash)).status).toBe('0x1');
    expect((await started().balance(RECIPIENT)) - before).toBe(150n);
  });

  it('of a hundred sends at the same time follow each other', async () => {
    const first = await started().count();
    const answers = await started().client.sendingAhead(() =>
      Promise.all(upFrom(0, 100).map(() => started().send({ to: RECIPIENT, value: '0x1' }))),
    );
    const nonces = await Promise.all(answers.map(minedNonce));
    expect(nonces.sort((a, b) => a - b)).toEqual(upFrom(first, 100));
  });

  it('of transactions that the client refuses go to the next send', async () => {
    const next = await started().count();
    const { status, error } = await started().send({ to: RECIPIENT, gas: '0x1' });
    expect([status, error?.message]).toEqual([200, expect.stringMatching(/intrinsic gas/i)]);
    expect(await nonceOf({ to: RECIPIENT })).toBe(next);
  });

  it('given again at a higher price replace what waits; at the same price they do not', async () => {
    const next = await started().count();
    const waiting = (gasPrice: string, value: string) =>
      started().send({ to: RECIPIENT, nonce: quantity(next + 1), gasPrice, value });
    const { result: first } = await waiting('0xa', '0x1');
    const refused = await waiting('0xa', '0x2');
    expect([refused.status, refused.error?.message]).toEqual([
      200,
      expect.stringMatching(/replacement transaction underpriced/i),
    ]);
    const { result: second } = await waiting('0x14', '0x3');
    expect(second).not.toBe(first);
    expect(await nonceOf({ to: RECIPIENT })).toBe(next);
    expect((await started().client.mined(second)).status).toBe('0x1');
    expect(await started().client.result('eth_getTransactionReceipt', [first])).toBeNull();
    expect(await nonceOf({ to: RECIPIENT })).toBe(next + 2);
  });
});
