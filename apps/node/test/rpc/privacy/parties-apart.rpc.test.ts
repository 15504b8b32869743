import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256, signDigest } from '@tetrad/crypto';
import { privateEnvelopeOf } from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes, parseAddress, type Hex } from '@tetrad/types';
import { WebSocket } from 'ws';
import { RECORDED_KEYS, startPrivacyNetwork, type TestManager } from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { contracts, creationOf } from './private-contracts.js';
import { A, B, C, MODULES, Parties, accounts, accumulator, quiet, textOf } from './parties.js';
import { sendPayload } from './send-payload.js';

describe('parties of a contract that come apart', () => {
  let all: Parties;
  beforeAll(async () => {
    const network = await startPrivacyNetwork({
      keys: RECORDED_KEYS,
      accounts,
      modules: MODULES,
      configOf: quiet,
      flags: ['--callback-allow-private', 'true', '--wait-agreement', '120s'],
      // The first two tell each other every result.
      flagsOf: (index) => (index === 2 ? [] : ['--disclose-results-to', index === 0 ? B : A]),
    });
    all = new Parties(network, network.nodes);
  });
  afterAll(() => all?.network.stop());

  it('learn which transaction one of them was left out of', async () => {
    const contract = await all.create([B, C]);
    const before = await all.increment(contract, [B, C]);
    await all.agreed(before);
    const missed = await all.increment(contract, [B]);
    await all.agreed(missed);
    const early = await all.explained(0, { contract, other: C, hash: missed });
    expect(early).toMatchObject({
      agreement: 'leftOut',
      transaction: missed,
      agreed: { transaction: before },
    });
    const hash = await all.increment(contract, [C]);
    const [atSender, atParty] = [
      await all.explained(0, { contract, other: C, hash }),
      await all.explained(2, { contract, other: A, hash }),
    ];
    expect(await all.blocksSince(hash)).toBeLessThanOrEqual(3);
    const first = {
      agreement: 'diverged',
      transaction: hash,
      agreed: { transaction: before },
      isWhole: true,
    };
    expect(atSender).toMatchObject(first);
    expect(atParty).toMatchObject(first);
    expect(atSender.causes).toEqual([
      { kind: 'leftOut', at: 'other', isCertain: true, transactions: [missed] },
    ]);
    expect(atParty.causes).toEqual([]);
    expect(atSender.difference).toMatchObject({ field: 'logs' });
    for (const { own, other } of [atSender, atParty])
      expect([own?.outcome, other?.outcome]).toEqual([expect.any(String), expect.any(String)]);
    const text = await textOf(all.node(0), contract);
    expect(text).toContain(`first: transaction ${hash} of block`);
    expect(text).toContain(`cause: the other party was left out of ${missed}`);
    expect(await textOf(all.node(2), contract)).toContain('cause: cannot be known here');
  });

  it('learn that one of them reads public state where the other has a contract', async () => {
    const inner = await all.create([A], creationOf('C1', 1));
    const outer = await all.create([C], creationOf('C2', inner));
    const hash = await all.send(outer, contracts.encodeFunctionData('set', [5]), [C]);
    const [atSender, atParty] = [
      await all.explained(0, { contract: outer, other: C, hash }),
      await all.explained(2, { contract: outer, other: A, hash }),
    ];
    expect(await all.blocksSince(hash)).toBeLessThanOrEqual(3);
    // What entered a contract that the other party may not have is not disclosed to it, and what named one that is not here neither.
    const first = {
      agreement: 'undisclosed',
      transaction: hash,
      difference: { field: 'undisclosed', at: 'own' },
      isWhole: true,
    };
    expect(atSender).toMatchObject(first);
    expect(atParty).toMatchObject(first);
    expect(atSender.causes).toEqual([
      { kind: 'publicReads', at: 'other', isCertain: false, contracts: [inner] },
    ]);
    expect(atParty.causes).toEqual([{ kind: 'publicReads', at: 'own', isCertain: true, contracts: [inner] }]);
    expect(await textOf(all.node(2), outer)).toContain(`cause: this node does not have ${inner}`);
  });

  it('learn that one alone has reverted, by what it reads, where both operators disclose results', async () => {
    const inner = await all.create([A], creationOf('C1', 42));
    const outer = await all.create([B], creationOf('C2', inner));
    const hash = await all.send(outer, contracts.encodeFunctionData('restoreFromC1'), [B]);
    const [atSender, atParty] = [
      await all.explained(0, { contract: outer, other: B, hash }),
      await all.explained(1, { contract: outer, other: A, hash }),
    ];
    expect(await all.blocksSince(hash)).toBeLessThanOrEqual(3);
    expect(atSender).toMatchObject({
      agreement: 'diverged',
      transaction: hash,
      difference: { field: 'status', own: '1', other: '0' },
      causes: [{ kind: 'publicReads', at: 'other', isCertain: true, contracts: [inner] }],
    });
    expect(atParty).toMatchObject({
      agreement: 'diverged',
      transaction: hash,
      difference: { field: 'status', own: '0', other: '1' },
      causes: [{ kind: 'publicReads', at: 'own', isCertain: true, contracts: [inner] }],
    });
    await all.becomes(0, hash, 'diverged');
    await all.becomes(1, hash, 'diverged');
  });

  it('learn that the manager of one has lost a payload, and agree again after a repair', async () => {
    const contract = await all.create([C]);
    const [sender, manager] = [all.network.managers[0], all.network.managers[2]] as TestManager[];
    const payload = bytesFromHex(accumulator.interface.encodeFunctionData('inc', [1]) as Hex);
    const key = await sendPayload(sender as TestManager, payload, [C]);
    await fetch(`${manager?.url}/transaction/${encodeURIComponent(key.toString('base64'))}`, {
      method: 'DELETE',
    });
    const hash = await all.node(0).result<string>('eth_sendRawTransaction', [signPrivate(contract, key)]);
    await Promise.all(all.nodes.map((node) => node.mined(hash)));
    const [atSender, atParty] = [
      await all.explained(0, { contract, other: C, hash }),
      await all.explained(2, { contract, other: A, hash }),
    ];
    expect(await all.blocksSince(hash)).toBeLessThanOrEqual(3);
    expect(atSender).toMatchObject({
      transaction: hash,
      difference: { field: 'transaction', at: 'other' },
      causes: [{ kind: 'payloadLost', at: 'other', isCertain: true }],
    });
    expect(atParty).toMatchObject({
      transaction: hash,
      difference: { field: 'transaction', at: 'own' },
      causes: [{ kind: 'payloadLost', at: 'own', isCertain: false, isBack: false }],
    });
    expect(await textOf(all.node(0), contract)).toContain('answered 404');
    expect(await all.sums(contract)).toEqual([2, undefined, 1]);
    await all.repair(contract, 2, 0);
    expect(await all.sums(contract)).toEqual([2, undefined, 2]);
    await all.agreed(await all.increment(contract, [C]));
  });

  it('have a callback wait until they agree, unless the request says otherwise', async () => {
    const contract = await all.create([B, C]);
    const data = accumulator.interface.encodeFunctionData('inc', [1]);
    const request = {
      from: all.node(0).accounts[0],
      to: contract,
      data,
      gas: '0x2dc6c0',
      privateFor: [B, C],
    };
    const waited = await postedBy(all.node(0), request);
    expect(waited).toMatchObject({ agreement: { agreement: 'agreed', parties: [{}, {}] } });
    expect(waited['agreement']).toMatchObject({ transaction: waited['txHash'] });
    const posted = await postedBy(all.node(0), { ...request, waitAgreement: 0 });
    expect(Object.keys(posted).sort()).toEqual(['id', 'txHash']);
    const publicly = await postedBy(all.node(0), { from: request.from, to: request.from });
    expect(Object.keys(publicly).sort()).toEqual(['id', 'txHash']);
    const refused = await all.node(0).call('eth_sendTransactionAsync', [{ ...request, waitAgreement: -1 }]);
    expect(JSON.stringify(refused.error)).toContain('waitAgreement');
  });

  it('have the outcome of a subscription wait until they agree, or do not', async () => {
    const contract = await all.create([B, C]);
    const alone = await all.increment(contract, [B]);
    const apart = await all.increment(contract, [C]);
    expect(await awaited(all.node(0), [alone])).toMatchObject({
      transaction: alone,
      agreement: 'agreed',
      parties: [{ ptmKey: B, agreement: 'agreed' }],
    });
    expect(await awaited(all.node(0), [apart])).toMatchObject({ agreement: 'diverged' });
    expect(await awaited(all.node(0), [`0x${'77'.repeat(32)}`, 10])).toMatchObject({
      agreement: 'pending',
      parties: [],
    });
    const refused = await all.node(0).call('privacy_subscribeAgreement', [alone]);
    expect(refused.error?.data).toMatchObject({ reason: 'SUBSCRIPTIONS_NEED_WEBSOCKET' });
    const long = await all.node(0).call('privacy_subscribeAgreement', [alone, 3_600_001]);
    expect(JSON.stringify(long.error)).toContain('wait');
    const wrong = await all.node(0).call('privacy_explainAgreement', ['0x12']);
    expect(JSON.stringify(wrong.error)).toContain('address');
  });
});

/** A private transaction of an account of its own. */
function signPrivate(contract: string, data: Uint8Array): string {
  const to = parseAddress(contract);
  const envelope = privateEnvelopeOf({ nonce: 0n, gasPrice: 0n, gasLimit: 3_000_000n, to, value: 0n, data });
  return hexFromBytes(envelope.raw(signDigest(keccak256(envelope.preimage()), Buffer.alloc(32, 0x64))));
}

/** What a subscription notifies. */
async function awaited({ webSocketUrl }: RunningNode, params: readonly unknown[]): Promise<unknown> {
  const socket = new WebSocket(webSocketUrl);
  try {
    await new Promise((done, fail) => socket.once('open', done).once('error', fail));
    const notified = new Promise((done) =>
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { params?: { result: unknown } };
        if (message.params !== undefined) done(message.params.result);
      }),
    );
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'privacy_subscribeAgreement', params }));
    return await notified;
  } finally {
    socket.close();
  }
}

/** Sends asynchronously; what is posted to the callback URL. */
async function postedBy(node: RunningNode, request: object): Promise<Readonly<Record<string, unknown>>> {
  let arrived: (text: string) => void = () => undefined;
  const posted = new Promise<string>((done) => (arrived = done));
  const receiver = createServer((incoming, response) => {
    let text = '';
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
    incoming.on('end', () => {
      response.end();
      arrived(text);
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  try {
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/done`;
    await node.result('eth_sendTransactionAsync', [{ ...request, callbackUrl }]);
    return JSON.parse(await posted) as Readonly<Record<string, unknown>>;
  } finally {
    receiver.close();
  }
}
