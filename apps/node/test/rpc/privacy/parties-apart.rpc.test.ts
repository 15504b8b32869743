import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExplanationView, PartyExplanationView, TransactionAgreementView } from '@tetrad/api-node';
import { keccak256, signDigest } from '@tetrad/crypto';
import { connectDatabase, createDatabase, dropDatabase } from '@tetrad/db';
import { createTestDatabase, testServerUrl, until, type TestDatabase } from '@tetrad/testkit';
import { openManagerStore } from '@tetrad/transaction-manager';
import { privateEnvelopeOf } from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes, parseAddress, type Hex } from '@tetrad/types';
import { WebSocket } from 'ws';
import { explainAgreement } from '../../../src/commands/explain-agreement-command.js';
import {
  PATIENCE,
  RECORDED_KEYS,
  privacyGenesis,
  recordedAccounts,
  startManager,
  startPrivacyNetwork,
  type PrivacyNetwork,
  type TestManager,
} from '../../privacy-network.js';
import { startNode, type RunningNode } from '../../running-node.js';
import { connect } from '../../validator-network.js';
import { compiled, contracts, creationOf, sendAndMine, valuesAt } from './private-contracts.js';
import { takeState } from './taken-state.js';

const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey as string) as [string, string, string];
const MODULES = 'eth,net,web3,debug,admin,eea,priv,privacy';
const accumulator = compiled('Accumulator.sol', 'Accumulator');
const accounts = recordedAccounts(3);
/** A block follows a transaction, and no other does: what is seen before the next one is seen within that block. */
const quiet = () => {
  const { qbft } = privacyGenesis(accounts).config as { readonly qbft: object };
  return { qbft: { ...qbft, emptyblockperiodseconds: 3_600 } };
};

interface WantedExplanation {
  readonly contract: string;
  readonly other: string;
  readonly hash: string;
  readonly waitsForRules?: boolean;
}

/** A network of two or three parties, and what has been sent on it. */
class Parties {
  constructor(
    readonly network: PrivacyNetwork,
    public nodes: readonly RunningNode[],
  ) {}

  node(index: number): RunningNode {
    return this.nodes[index] as RunningNode;
  }

  async create(privateFor: readonly string[], data = accumulator.creation(1)): Promise<string> {
    const { hash, receipts } = await sendAndMine(this.node(0), this.nodes, { data, privateFor });
    await this.agreed(hash);
    return String(receipts[0]?.contractAddress);
  }

  async send(to: string, data: string, privateFor: readonly string[]): Promise<string> {
    return (await sendAndMine(this.node(0), this.nodes, { to, data, privateFor })).hash;
  }

  increment(to: string, privateFor: readonly string[]): Promise<string> {
    return this.send(to, accumulator.interface.encodeFunctionData('inc', [1]), privateFor);
  }

  async agreed(hash: string): Promise<void> {
    await this.becomes(0, hash, 'agreed');
  }

  /** Waits until the node says so of all parties of the transaction. */
  async becomes(index: number, hash: string, agreement: string): Promise<void> {
    await until(async () => {
      const found = await this.agreement(index, hash);
      return found === null || found.parties.every((party) => party.agreement === agreement);
    });
  }

  agreement(index: number, hash: string): Promise<TransactionAgreementView | null> {
    return this.node(index).result('privacy_getAgreement', [hash]);
  }

  /** How the node explains that the other party differs, once it names the transaction and knows what the other one tells. */
  async explained(
    index: number,
    { contract, other, hash, waitsForRules = false }: WantedExplanation,
  ): Promise<PartyExplanationView> {
    let found: PartyExplanationView | undefined;
    await until(async () => {
      const { parties } = await this.node(index).result<ExplanationView>('privacy_explainAgreement', [
        contract,
      ]);
      found = parties.find(
        ({ ptmKey, transaction, difference, rules }) =>
          ptmKey === other &&
          transaction === hash &&
          difference?.field !== 'outcome' &&
          !(waitsForRules && rules === 'unknown'),
      );
      return found !== undefined;
    });
    return found as PartyExplanationView;
  }

  /** The sum of an accumulator at each node; undefined where it is not. */
  async sums(contract: string): Promise<(number | undefined)[]> {
    const found = await valuesAt(this.nodes, accumulator, contract, 'get');
    return found.map((value) => (typeof value === 'number' ? value : undefined));
  }

  /** Has a party take the state of another one by the command. */
  async repair(contract: string, taker: number, giver: number): Promise<void> {
    const party = (index: number) => ({ node: this.node(index), key: [A, B, C][index] ?? '' });
    const repair = { isOver: false };
    const taken = takeState(contract, party(taker), party(giver)).finally(() => (repair.isOver = true));
    const [text] = await Promise.all([taken, this.makeBlocks(repair)]);
    expect(text).toContain('since the end of block');
  }

  /** A repair is written behind a block that follows, and only transactions make blocks here. */
  private async makeBlocks(work: { readonly isOver: boolean }): Promise<void> {
    while (!work.isOver) {
      await sendAndMine(this.node(0), this.nodes, { to: `0x${'11'.repeat(20)}` });
      await new Promise((due) => setTimeout(due, 200));
    }
  }

  /** How many blocks follow the one of the transaction now. */
  async blocksSince(hash: string): Promise<number> {
    const { blockNumber } = await this.node(0).mined(hash);
    return Number(await this.node(0).result('eth_blockNumber')) - Number(blockNumber);
  }
}

const textOf = (node: RunningNode, contract: string, since?: number) =>
  explainAgreement({
    rpcUrl: new URL(node.url),
    rpcTokenFile: undefined,
    contract: parseAddress(contract),
    since,
    wait: 120_000,
  });

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
    const key = await sendPayload(sender as TestManager, payload, C);
    await fetch(`${manager?.url}/transaction/${encodeURIComponent(key)}`, { method: 'DELETE' });
    const hash = await all
      .node(0)
      .result<string>('eth_sendRawTransaction', [signPrivate(contract, Buffer.from(key, 'base64'))]);
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

describe('a party that is restored from an old backup', () => {
  let network: PrivacyNetwork;
  const running: { manager?: TestManager; node?: RunningNode; dropped: TestDatabase[] } = { dropped: [] };
  beforeAll(async () => {
    network = await startPrivacyNetwork({
      keys: RECORDED_KEYS.slice(0, 1),
      accounts: accounts.slice(0, 1),
      modules: MODULES,
      configOf: quiet,
    });
  });
  afterAll(async () => {
    await running.node?.stop();
    await running.manager?.end();
    for (const database of running.dropped) await database.drop();
    await network?.stop();
  });

  it('is seen by both, with the transaction that it has lost, and agrees again after a repair', async () => {
    const node = await createTestDatabase('node');
    const manager = await createTestDatabase('transaction-manager');
    await start({ node: kept(node), manager: kept(manager) });
    const all = parties();
    const contract = await all.create([B]);
    await stop();
    const backup = { node: await copyOf(node), manager: await copyOf(manager) };
    await declareComplete(backup.manager);
    await start({ node: kept(node), manager: kept(manager) });
    const lost = await parties().increment(contract, [B]);
    await parties().agreed(lost);
    await stop();
    running.dropped.push(node, manager);
    await start(backup);
    const hash = await parties().increment(contract, [B]);
    const [atSender, atParty] = [
      await parties().explained(0, { contract, other: B, hash }),
      await parties().explained(1, { contract, other: A, hash }),
    ];
    expect(await parties().blocksSince(hash)).toBeLessThanOrEqual(3);
    for (const one of [atSender, atParty])
      expect(one).toMatchObject({ agreement: 'diverged', transaction: hash });
    // The block of the lost one was agreed on before: comparing it anew finds it.
    const text = await textOf(parties().node(0), contract, 0);
    expect(text).toContain(`first: transaction ${lost} of block`);
    expect(text).toContain('differs: the other party does not have it');
    expect(await parties().explained(1, { contract, other: A, hash: lost })).toMatchObject({
      difference: { field: 'transaction', at: 'own' },
      causes: [{ kind: 'payloadLost', at: 'own' }],
    });
    expect(await parties().sums(contract)).toEqual([3, 2]);
    await parties().repair(contract, 1, 0);
    expect(await parties().sums(contract)).toEqual([3, 3]);
    await parties().agreed(await parties().increment(contract, [B]));
  });

  const parties = () => new Parties(network, [network.nodes[0], running.node] as RunningNode[]);

  async function start(databases: { readonly node: TestDatabase; readonly manager: TestDatabase }) {
    const key = RECORDED_KEYS[1];
    if (key === undefined) throw new Error('a second key is needed');
    const peers = network.managers.map(({ peerUrl }) => peerUrl);
    running.manager = await startManager(key, { peers }, { given: databases.manager });
    const { url } = running.manager;
    const genesis = privacyGenesis(accounts.slice(0, 1));
    running.node = await startNode([...PATIENCE, '--peer-exchange', 'false', '--ptm-url', url], {
      genesis: { ...genesis, config: { ...genesis.config, ...quiet() } },
      nodeKey: Buffer.alloc(32, 0x51),
      held: accounts.slice(1, 2),
      modules: MODULES,
      database: databases.node,
    });
    await connect(parties().nodes);
    await until(async () => network.managers[0]?.parties.entries.some((one) => one.key === B) === true);
  }

  async function stop() {
    await running.node?.stop();
    await running.manager?.end();
    running.node = undefined as unknown as RunningNode;
  }
});

describe('parties of which one executes by other rules', () => {
  let all: Parties;
  beforeAll(async () => {
    const network = await startPrivacyNetwork({
      keys: RECORDED_KEYS.slice(0, 2),
      accounts: accounts.slice(0, 2),
      modules: MODULES,
      configOf: (index) => ({
        ...quiet(),
        istanbulBlock: undefined,
        // Without the shifts, which each call of a contract of Solidity uses.
        ...(index === 1 && { constantinopleBlock: undefined, petersburgBlock: undefined }),
      }),
    });
    all = new Parties(network, network.nodes);
  });
  afterAll(() => all?.network.stop());

  it('learn that a transaction has failed at one of them, and by which rules the other one says that it executes', async () => {
    const contract = await all.create([B]);
    const hash = await all.increment(contract, [B]);
    const at = { contract, hash, waitsForRules: true };
    const [atSender, atParty] = [
      await all.explained(0, { ...at, other: B }),
      await all.explained(1, { ...at, other: A }),
    ];
    expect(await all.blocksSince(hash)).toBeLessThanOrEqual(3);
    const first = {
      agreement: 'diverged',
      agreed: { blockNumber: expect.any(Number) },
      isWhole: true,
      rules: 'different',
    };
    const cause = (own: string, other: string) => [
      { kind: 'rules', at: 'other', isCertain: false, rules: [{ rule: 'fork', own, other }] },
    ];
    expect(atSender).toMatchObject({
      ...first,
      difference: { field: 'status', own: '1', other: '0' },
      causes: cause('petersburg', 'byzantium'),
    });
    expect(atParty).toMatchObject({
      ...first,
      difference: { field: 'status', own: '0', other: '1' },
      causes: cause('byzantium', 'petersburg'),
    });
    expect(await textOf(all.node(0), contract)).toContain(
      'cause: probably other rules: fork petersburg here, byzantium there; what is there is the word of the other party',
    );
  });
});

/** The database, which is not dropped when what uses it stops. */
function kept({ url }: TestDatabase): TestDatabase {
  return { url, drop: async () => undefined };
}

/** As the operator of a restored manager may say, wrongly; its node would wait otherwise. */
async function declareComplete({ url }: TestDatabase): Promise<void> {
  const database = await connectDatabase({ url, poolSize: 1 });
  const stored = openManagerStore(database);
  await stored.completeness.set('declared');
  await stored.close();
  await database.close();
}

let copies = 0;
async function copyOf({ url }: TestDatabase): Promise<TestDatabase> {
  const server = await testServerUrl();
  const source = new URL(url).pathname.slice(1);
  const copy = await createDatabase(server, `${source}_${(copies += 1)}`, source);
  return { url: copy, drop: () => dropDatabase(server, new URL(copy).pathname.slice(1)) };
}

async function sendPayload({ url }: TestManager, payload: Uint8Array, to: string): Promise<string> {
  const response = await fetch(`${url}/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payload: Buffer.from(payload).toString('base64'), from: A, to: [to] }),
  });
  return ((await response.json()) as { key: string }).key;
}

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
