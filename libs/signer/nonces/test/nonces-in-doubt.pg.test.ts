import { describe, expect, it, jest } from '@jest/globals';
import type { Hash } from '@tetrad/types';
import { ACCOUNT, SHORT_LIVED, timeOut, unsent, useNonceManager } from './nonce-manager-setup.js';
import { until } from './replica.js';
import { encode, rejection } from './strict-chain.js';

const manager = useNonceManager();

describe('a submission without an answer', () => {
  it('is made again with the same bytes until the client has them (SP-55)', async () => {
    let silent = true;
    const seen: string[] = [];
    const replica = await manager.start({
      submit: async (raw) => {
        seen.push(Buffer.from(raw).toString());
        if (silent) throw timeOut();
        return manager.chain.submit(raw);
      },
    });
    await expect(replica.send(ACCOUNT, 'slow')).rejects.toThrow('Connection to downstream node timed out');
    silent = false;
    await replica.send(ACCOUNT, 'next');
    await manager.settled(replica);
    expect(manager.minedIds()).toEqual(['slow', 'next']);
    expect(new Set(seen).size).toBe(2);
  });

  it('that arrived all the same is known, and not sent twice', async () => {
    const { replica, answer } = await manager.startUnanswered();
    await expect(replica.send(ACCOUNT, 'slow')).rejects.toThrow('timed out');
    answer();
    await manager.settled(replica);
    expect(manager.minedIds()).toEqual(['slow']);
  });

  it('gives its nonce back when no connection was made', async () => {
    const replica = await manager.start({ submit: () => Promise.reject(unsent()) });
    await expect(replica.send(ACCOUNT, 'never')).rejects.toThrow('Failed to connect');
    expect(await manager.entries(replica)).toEqual([{ nonce: '0', state: 'free' }]);
  });

  it('is in doubt when no connection was made, and the nonce cannot be given back', async () => {
    const replica = await manager.start({ submit: () => Promise.reject(unsent()) }, SHORT_LIVED);
    jest.spyOn(replica.store.nonces, 'move').mockRejectedValue(new Error('no database'));
    await expect(replica.send(ACCOUNT, 'later')).rejects.toThrow('timed out');
    await manager.crash(replica);
    const other = await manager.start();
    await manager.settled(other);
    expect(manager.minedIds()).toEqual(['later']);
  });

  it('is a success when the client has the bytes already', async () => {
    const replica = await manager.start({
      submit: async (raw) => {
        manager.chain.submit(raw);
        throw rejection('already known');
      },
    });
    expect(await replica.send(ACCOUNT, 'known')).toBe(
      encode({ account: ACCOUNT, nonce: '0', id: 'known' }).hash,
    );
  });
});

describe('a replica that dies', () => {
  it('between reserving and signing leaves a nonce that another one uses', async () => {
    const dying = await manager.start({}, SHORT_LIVED);
    void dying.send(ACCOUNT, 'unsigned', { sign: () => new Promise(() => undefined) });
    await until(async () => (await manager.entries(dying))[0]?.state === 'reserved', 'the nonce is reserved');
    const other = await manager.start();
    await other.send(ACCOUNT, 'above');
    await manager.crash(dying);
    await until(async () => (await manager.entries(other))[0]?.state === 'free', 'the nonce is free');
    await other.send(ACCOUNT, 'below');
    await manager.settled(other);
    expect(manager.minedIds()).toEqual(['below', 'above']);
  });

  it('between signing and submitting is followed by one that submits the same bytes', async () => {
    const dying = await manager.start({ submit: () => new Promise<Hash>(() => undefined) }, SHORT_LIVED);
    void dying.send(ACCOUNT, 'signed');
    await until(async () => (await manager.entries(dying))[0]?.state === 'signed', 'the bytes are stored');
    await manager.crash(dying);
    const other = await manager.start();
    await manager.settled(other);
    expect(manager.minedIds()).toEqual(['signed']);
  });

  it('and stops in order is followed at once', async () => {
    const stopping = await manager.start({ submit: () => new Promise<Hash>(() => undefined) });
    void stopping.send(ACCOUNT, 'signed').catch(() => undefined);
    await until(async () => (await manager.entries(stopping))[0]?.state === 'signed', 'the bytes are stored');
    await stopping.manager.stop();
    const other = await manager.start({}, { timing: { replicaTtlMs: 3_600_000 } });
    await manager.settled(other);
    expect(manager.minedIds()).toEqual(['signed']);
  });
});
