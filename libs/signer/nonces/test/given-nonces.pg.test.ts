import { describe, expect, it } from '@jest/globals';
import type { SequenceClient } from '../src/index.js';
import { ACCOUNT, useNonceManager } from './nonce-manager-setup.js';
import { clientOf } from './replica.js';
import { encode, rejection } from './strict-chain.js';

const manager = useNonceManager();

describe('a nonce that the caller named', () => {
  it('is submitted once, and the answer is untouched', async () => {
    const replica = await manager.start();
    for (const words of ['Nonce too low', 'Known transaction', 'Replacement transaction underpriced']) {
      const failing: SequenceClient = {
        ...clientOf(manager.chain, ACCOUNT),
        submit: () => Promise.reject(rejection(words)),
      };
      await expect(replica.send(ACCOUNT, words, { nonce: 7n, client: failing })).rejects.toThrow(words);
    }
    const huge = 0xe04d296d2460cfb8472af2c5fd05b5a214109c25688d3704aed5484f9a7792f2n;
    await replica.send(ACCOUNT, 'far', { nonce: huge });
    await replica.send(ACCOUNT, 'auto');
    manager.chain.mine();
    expect(manager.minedIds()).toEqual(['auto']);
  });

  it('is not assigned to other sends', async () => {
    const replica = await manager.start();
    await replica.send(ACCOUNT, 'a');
    await replica.send(ACCOUNT, 'c', { nonce: 2n });
    const sends = ['b', 'd'].map((id) => replica.send(ACCOUNT, id));
    await Promise.all(sends);
    await manager.settled(replica);
    expect(manager.minedIds()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('replaces at a higher gas price, and the nonce manager points at the newest', async () => {
    const replica = await manager.start();
    await replica.send(ACCOUNT, 'old');
    const sign = (nonce: bigint) =>
      encode({ account: ACCOUNT, nonce: nonce.toString(), id: 'new', gasPrice: 2 });
    const hash = await replica.send(ACCOUNT, 'new', { nonce: 0n, sign });
    const sequence = await replica.store.sequences.open({ chainId: 2018n, account: ACCOUNT });
    expect(await replica.store.nonces.find({ sequenceId: sequence.id, nonce: 0n })).toMatchObject({ hash });
    await manager.settled(replica);
    expect(manager.minedIds()).toEqual(['new']);
  });

  it('that replaces nothing leaves the nonce manager as it was', async () => {
    const replica = await manager.start();
    const hash = await replica.send(ACCOUNT, 'old');
    await expect(replica.send(ACCOUNT, 'new', { nonce: 0n })).rejects.toThrow('underpriced');
    const sequence = await replica.store.sequences.open({ chainId: 2018n, account: ACCOUNT });
    expect(await replica.store.nonces.find({ sequenceId: sequence.id, nonce: 0n })).toMatchObject({
      hash,
      state: 'accepted',
      given: false,
    });
  });
});
