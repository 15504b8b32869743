import { describe, expect, it } from '@jest/globals';
import { LyingClient } from './lying-client.js';
import { ACCOUNT, useNonceManager } from './nonce-manager-setup.js';
import { until, type Replica } from './replica.js';
import { StrictChain, rejection } from './strict-chain.js';

const manager = useNonceManager();

/** Nonces that the chain has mined, as they were signed. */
const minedNonces = () => manager.chain.mined(ACCOUNT).map(({ transaction }) => Number(transaction.nonce));

async function startLied(timing: object = {}): Promise<{ client: LyingClient; replica: Replica }> {
  const client = new LyingClient(manager.chain);
  const replica = await manager.start({}, { clientFor: (account) => client.for(account), timing });
  return { client, replica };
}

const sendTo = (replica: Replica, client: LyingClient, id: string) =>
  replica.send(ACCOUNT, id, { sign: client.signFor(ACCOUNT, id) });

const minedCountIs = (count: number) =>
  until(() => {
    manager.chain.mine();
    return manager.chain.mined(ACCOUNT).length === count;
  }, `${count} transactions are mined`);

describe('a client that counts more transactions than there are', () => {
  it('is asked again until it tells the truth, and the send waits meanwhile', async () => {
    const { client, replica } = await startLied({ jumpPatienceMs: 60_000 });
    await sendTo(replica, client, 'a');
    client.lies = { pending: 0x1000n, mined: 0x1000n };
    const held = sendTo(replica, client, 'b');
    await until(() => replica.manager.doubted().length === 1, 'the count is doubted');
    expect(replica.manager.doubted()).toMatchObject([{ account: ACCOUNT, reason: 'jump', isHeldBack: true }]);
    client.lies = {};
    await held;
    await minedCountIs(2);
    expect(replica.manager.doubted()).toEqual([]);
    expect(minedNonces()).toEqual([0, 1]);
  });

  it('is believed when it stays with it, and the sequence is led back once it does not', async () => {
    const { client, replica } = await startLied({ jumpPatienceMs: 200 });
    await sendTo(replica, client, 'a');
    client.lies = { pending: 0x1000n, mined: 0x1000n };
    await sendTo(replica, client, 'lost 1');
    await sendTo(replica, client, 'lost 2');
    client.lies = {};
    await until(async () => {
      const { rows } = await replica.database.pool.query(
        'SELECT next_nonce::int AS next FROM nonce_sequence',
      );
      return (rows[0] as { next: number }).next < 0x1000;
    }, 'the sequence is led back');
    await sendTo(replica, client, 'b');
    await sendTo(replica, client, 'c');
    await minedCountIs(3);
    expect(minedNonces()).toEqual([0, 1, 2]);
    expect(client.signed.conflicts).toEqual([]);
    // What was acknowledged is mined when the sequence reaches it.
    expect((await manager.entries(replica)).map(({ nonce }) => Number(nonce))).toEqual(
      expect.arrayContaining([0x1000, 0x1001]),
    );
  });

  it('at the first send of an account is led back too', async () => {
    const { client, replica } = await startLied();
    client.lies = { pending: 500n, mined: 500n };
    await sendTo(replica, client, 'far');
    client.lies = {};
    await until(async () => {
      const { rows } = await replica.database.pool.query(
        'SELECT next_nonce::int AS next FROM nonce_sequence',
      );
      return (rows[0] as { next: number }).next === 0;
    }, 'the sequence is led back');
    await sendTo(replica, client, 'a');
    await minedCountIs(1);
  });

  it('by a few, which other wallets may have sent, has the gap closed', async () => {
    const { client, replica } = await startLied();
    await sendTo(replica, client, 'a');
    client.lies = { pending: 5n };
    await sendTo(replica, client, 'b');
    client.lies = {};
    const sends = ['c', 'd', 'e', 'f'];
    for (const id of sends) {
      await until(async () => {
        manager.chain.mine();
        return (await manager.entries(replica)).some(({ state }) => state === 'free');
      }, 'the gap is open');
      await sendTo(replica, client, id);
    }
    await minedCountIs(6);
    expect(client.signed.conflicts).toEqual([]);
  });
});

describe('a client that counts fewer transactions than it has mined', () => {
  it.each([
    ['reorganized', false],
    ['restored', true],
  ])('because it was %s gets the same bytes again', async (_what, lost) => {
    const { client, replica } = await startLied();
    const hashes = [];
    for (const id of ['a', 'b', 'c']) hashes.push(await sendTo(replica, client, id));
    await manager.settled(replica);
    manager.chain.takeBack(ACCOUNT, 2, { lost });
    hashes.push(await sendTo(replica, client, 'd'));
    await minedCountIs(4);
    expect(manager.chain.mined(ACCOUNT).map(({ hash }) => hash)).toEqual(hashes);
    expect(client.signed.conflicts).toEqual([]);
  });

  it('for a moment changes nothing', async () => {
    const { client, replica } = await startLied({ resetGraceMs: 60_000 });
    for (const id of ['a', 'b']) await sendTo(replica, client, id);
    await manager.settled(replica);
    client.lies = { pending: 0n, mined: 0n };
    await sendTo(replica, client, 'c');
    client.lies = {};
    await manager.settled(replica);
    expect(minedNonces()).toEqual([0, 1, 2]);
  });

  it('because it is on another chain is followed after a while, and sends are held back until then', async () => {
    const { client, replica } = await startLied({ resetGraceMs: 60_000 });
    for (const id of ['a', 'b', 'c']) await sendTo(replica, client, id);
    await until(async () => {
      const { rows } = await replica.database.pool.query(
        'SELECT FROM nonce_sequence WHERE genesis IS NOT NULL',
      );
      return rows.length === 1;
    }, 'the chain is known');
    await manager.settled(replica);
    const chain = manager.chain;
    client.chain = new StrictChain();
    const held = sendTo(replica, client, 'd');
    await until(() => replica.manager.doubted().length === 1, 'the count is doubted');
    expect(replica.manager.doubted()).toMatchObject([{ reason: 'other-chain', isHeldBack: true }]);
    client.chain = chain;
    await held;
    await minedCountIs(4);
  });
});

describe('a client that says a nonce is used, and does not count past it', () => {
  it.each(['Nonce too low', 'replacement transaction underpriced'])(
    'gets one signed payment for one request (%s)',
    async (refusal) => {
      const { client, replica } = await startLied();
      await sendTo(replica, client, 'a');
      await sendTo(replica, client, 'b');
      // The next nonce is above what the client counts.
      client.lies = { refusal, pending: 1n, mined: 1n, knows: false };
      let signatures = 0;
      const sign = (nonce: bigint) => {
        signatures += 1;
        return client.signFor(ACCOUNT, 'c')(nonce);
      };
      await expect(replica.send(ACCOUNT, 'c', { sign })).rejects.toMatchObject({ error: { code: -32603 } });
      expect(signatures).toBe(1);
      client.lies = {};
      await manager.settled(replica);
      expect(manager.minedIds()).toEqual(['a', 'b', 'c']);
    },
  );

  it('is not paid twice when the request arrived twice', async () => {
    const { client, replica } = await startLied();
    const twice = {
      ...client.for(ACCOUNT),
      submit: async (raw: Uint8Array) => {
        await client.for(ACCOUNT).submit(raw);
        manager.chain.mine();
        return client.for(ACCOUNT).submit(raw);
      },
    };
    await replica.send(ACCOUNT, 'a', { client: twice });
    await manager.settled(replica);
    expect(manager.minedIds()).toEqual(['a']);
  });

  it('and counted past it before has the nonce outbid, and the request is not paid twice', async () => {
    const client = new LyingClient(manager.chain);
    const replica = await manager.start(
      {},
      {
        clientFor: (of) => client.for(of),
        fillsGaps: true,
        signFiller: (filler) => client.signed.sign(filler),
      },
    );
    await sendTo(replica, client, 'a');
    let isFirst = true;
    const refusing = {
      ...client.for(ACCOUNT),
      submit: async (raw: Uint8Array) => {
        if (!isFirst) return client.for(ACCOUNT).submit(raw);
        isFirst = false;
        client.lies = { pending: 2n, mined: 2n };
        throw rejection('nonce too low');
      },
    };
    await replica.send(ACCOUNT, 'b', { client: refusing, sign: client.signFor(ACCOUNT, 'b') });
    client.lies = {};
    await minedCountIs(3);
    expect(manager.minedIds()).toEqual(['a', 'filler', 'b']);
    expect(client.signed.conflicts).toEqual([]);
  });
});
