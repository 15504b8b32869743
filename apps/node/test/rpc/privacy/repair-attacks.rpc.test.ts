import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { RepairProgressView, RepairsView } from '@tetrad/api-node';
import { signingKeyOf } from '@tetrad/crypto';
import {
  REPAIR_KINDS,
  decodePart,
  decodeRefusal,
  encodePart,
  openRepairStatement,
  openRequest,
  signRepairDone,
  signRepairStatement,
  signRequest,
  type RepairRequest,
  type RepairStatement,
} from '@tetrad/node-agreement';
import { until } from '@tetrad/testkit';
import { hashFromBytes, parseAddress, parseHash, type Hash } from '@tetrad/types';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
  type TestManager,
} from '../../privacy-network.js';
import { CHAIN_ID, type RunningNode } from '../../running-node.js';
import { MessageParty } from './message-party.js';
import { compiled, sendAndMine, valuesAt } from './private-contracts.js';

const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey);
if (A === undefined || B === undefined || C === undefined) throw new Error('three keys are needed');
const accumulator = compiled('Accumulator.sol', 'Accumulator');
const NODE_KEY = signingKeyOf(Buffer.alloc(32, 0x77));
const LIE = parseHash(`0x${'1e'.repeat(32)}`);
const UNKNOWN = parseAddress(`0x${'0c'.repeat(20)}`);

let network: PrivacyNetwork;
/** Nodes of A and B; the third manager has no node, and this test in its place. */
let nodes: readonly RunningNode[];
let first: RunningNode;
let second: RunningNode;
let party: MessageParty;
/** Of all three; A has been left out of a transaction. */
let contract: string;
/** Of A and B alone. */
let closed: string;
let genesisHash: Hash;

beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(2),
    modules: 'eth,net,web3,debug,admin,eea,priv,privacy',
  });
  ({ nodes } = network);
  [first, second] = nodes as [RunningNode, RunningNode];
  party = new MessageParty(network.managers[2] as TestManager);
  genesisHash = (await first.result<{ hash: Hash }>('eth_getBlockByNumber', ['0x0', false])).hash;
  contract = await create([B, C]);
  closed = await create([B]);
  await increment([A, C]);
  await increment([C]);
});
afterAll(() => network?.stop());

async function create(privateFor: readonly string[]): Promise<string> {
  const { receipts } = await sendAndMine(first, nodes, { data: accumulator.creation(1), privateFor });
  return String(receipts[0]?.contractAddress);
}

async function increment(privateFor: readonly (string | undefined)[]): Promise<void> {
  const data = accumulator.interface.encodeFunctionData('inc', [1]);
  await sendAndMine(second, nodes, { to: contract, data, privateFor });
}

const values = () => valuesAt(nodes, accumulator, contract, 'get');

/** A request of C to a node. */
async function request(to: string, changes: Partial<RepairRequest> = {}): Promise<RepairRequest> {
  const { number, hash } = await first.result<{ number: string; hash: Hash }>('eth_getBlockByNumber', [
    'latest',
    false,
  ]);
  return {
    chainId: BigInt(CHAIN_ID),
    genesisHash,
    contract: parseAddress(contract),
    from: party.key,
    to: to as typeof party.key,
    request: hashFromBytes(randomBytes(32)),
    block: Number(number),
    blockHash: hash,
    purpose: 'whole',
    ...changes,
  };
}

async function ask(to: string, changes: Partial<RepairRequest> = {}): Promise<RepairRequest> {
  const asked = await request(to, changes);
  await party.tell(to, REPAIR_KINDS.request, await signRequest(asked, NODE_KEY));
  return asked;
}

async function refusalOf(to: string, changes: Partial<RepairRequest> = {}): Promise<string | undefined> {
  const asked = await ask(to, changes);
  const isIt = (body: Buffer) => decodeRefusal(body)?.request === asked.request;
  return decodeRefusal(await party.hear(to, REPAIR_KINDS.refusal, isIt))?.reason;
}

async function statementOf(to: string, changes: Partial<RepairRequest> = {}): Promise<RepairStatement> {
  const asked = await ask(to, changes);
  const isIt = (body: Buffer) => openRepairStatement(body)?.request === asked.request;
  return openRepairStatement(
    await party.hear(to, REPAIR_KINDS.statement, isIt),
  ) as unknown as RepairStatement;
}

describe('a party that claims a divergence', () => {
  it('gets the hashes of the account, and neither code nor slots', async () => {
    expect(await refusalOf(B)).toBe('notAllowed');
    expect(await refusalOf(B, { purpose: 'offer' })).toBe('notAllowed');
    const stated = await statementOf(B, { purpose: 'account' });
    expect(stated).toMatchObject({ from: B, to: C, wholeBytes: 0 });
    expect(await party.listHeard(B, REPAIR_KINDS.part)).toEqual([]);
  });
});

describe('a party that asks about a contract in which it has no part', () => {
  it('gets the same answer as about one that does not exist', async () => {
    for (const purpose of ['account', 'offer', 'whole'] as const)
      for (const about of [parseAddress(closed), UNKNOWN])
        expect(await refusalOf(A, { contract: about, purpose })).toBe('notShared');
  });

  it('is not sent it, also when the operator allows it by mistake', async () => {
    await first.result('admin_allowContractRepair', [closed, C, 60]);
    expect(await refusalOf(A, { contract: parseAddress(closed) })).toBe('notShared');
    await first.result('admin_allowContractRepair', [closed, C, 0]);
  });
});

describe('requests of another chain, block, sender or recipient', () => {
  it('are not answered', async () => {
    const wrong: Partial<RepairRequest>[] = [
      { chainId: 1n },
      { genesisHash: LIE },
      { from: B as typeof party.key },
      { block: 1_000_000 },
    ];
    const asked: RepairRequest[] = [];
    for (const change of wrong) asked.push(await ask(A, { purpose: 'account', ...change }));
    await party.tell(A, REPAIR_KINDS.request, Buffer.alloc(320));
    expect(await refusalOf(A, { purpose: 'account', blockHash: LIE })).toBe('notFollowed');
    const said = (await party.listHeard(A, REPAIR_KINDS.statement)).map(
      (body) => openRepairStatement(body)?.request,
    );
    for (const one of asked) expect(said).not.toContain(one.request);
  });
});

describe('a party from which another one takes its state', () => {
  let truth: RepairStatement;
  let parts: readonly Uint8Array[];

  beforeAll(async () => {
    await second.result('admin_allowContractRepair', [contract, C, 3_600]);
    truth = await statementOf(B);
    await party.hear(B, REPAIR_KINDS.part, (body) => decodePart(body)?.request === truth.request);
    parts = (await party.listHeard(B, REPAIR_KINDS.part)).flatMap((body) => decodePart(body)?.part ?? []);
  });

  const seen = new Set<Hash>();
  /** The next request of A. */
  async function requestOfA(): Promise<RepairRequest> {
    const isNew = (body: Buffer) => !seen.has(openRequest(body)?.request ?? LIE);
    const body = await party.hear(A as string, REPAIR_KINDS.request, isNew);
    const opened = openRequest(body) as unknown as RepairRequest;
    seen.add(opened.request);
    return opened;
  }

  async function state(asked: RepairRequest, changes: Partial<RepairStatement> = {}): Promise<void> {
    const { state: account, wholeBytes, wholeHash } = truth;
    const subject = { ...asked, from: party.key, to: A as typeof party.key };
    const statement = { ...subject, state: account, wholeBytes, wholeHash, ...changes };
    await party.tell(A as string, REPAIR_KINDS.statement, await signRepairStatement(statement, NODE_KEY));
  }

  async function send(asked: RepairRequest, all = parts): Promise<void> {
    for (const [index, part] of all.entries())
      await party.tell(A as string, REPAIR_KINDS.part, encodePart(asked.request, index, part));
  }

  async function order(wait: number, changes: object = {}): Promise<void> {
    const wanted = { contract, from: C, agreeWith: [B], reason: 'test', wait, ...changes };
    await first.result('admin_repairContract', [wanted]);
  }

  async function outcome(): Promise<RepairProgressView> {
    let progress: RepairProgressView | undefined;
    await until(async () => {
      progress = await first.result<RepairProgressView>('admin_getContractRepair');
      return progress.phase === 'written' || progress.phase === 'failed';
    });
    return progress as RepairProgressView;
  }

  it('plants nothing that another party does not state', async () => {
    await order(120);
    await state(await requestOfA(), { state: { ...truth.state, storageRoot: LIE } });
    expect((await outcome()).failure).toContain(`party ${B} states another state`);
  });

  it('plants nothing that is not what it has signed', async () => {
    await order(120);
    await state(await requestOfA());
    const asked = await requestOfA();
    expect(asked).toMatchObject({ purpose: 'whole', from: A, to: C });
    const other = Buffer.from(parts[0] as Uint8Array);
    other[other.length - 20] = (other[other.length - 20] ?? 0) ^ 1;
    await state(asked);
    await send(asked, [other]);
    expect((await outcome()).failure).toContain('is not the contract that it has stated');
  });

  it('plants nothing whose hashes it lies about', async () => {
    await order(120, { agreeWith: undefined, acceptOne: true });
    const account = { ...truth.state, storageRoot: LIE };
    await state(await requestOfA(), { state: account });
    const asked = await requestOfA();
    await state(asked, { state: account });
    await send(asked);
    expect((await outcome()).failure).toContain('is not the contract that it has stated');
  });

  it('is not believed with what it said before, or about something else', async () => {
    await order(20);
    const asked = await requestOfA();
    const wrong: Partial<RepairStatement>[] = [
      { request: truth.request },
      { chainId: 1n },
      { contract: UNKNOWN },
      { block: asked.block - 1 },
      { blockHash: LIE },
      { genesisHash: LIE },
    ];
    for (const change of wrong) await state(asked, change);
    await send(asked);
    expect((await outcome()).failure).toContain(`party ${C} has not answered`);
  });

  it('holds private state no longer than was ordered when it falls silent', async () => {
    await order(20);
    await state(await requestOfA());
    await requestOfA();
    expect((await outcome()).failure).toContain(`party ${C} has not answered`);
    expect(await values()).toEqual([2, 3]);
  });

  it('is believed when it tells the truth', async () => {
    await order(120);
    await state(await requestOfA());
    const asked = await requestOfA();
    await state(asked);
    await send(asked);
    expect(await outcome()).toMatchObject({ phase: 'written' });
    expect(await values()).toEqual([3, 3]);
    const { repairs } = await first.result<RepairsView>('privacy_listRepairs', []);
    expect(repairs).toMatchObject([{ contract, from: C }]);
  });
});

describe('a party that says that it has repaired', () => {
  it('changes nothing, and is shown with what it has signed', async () => {
    const asked = await request(A as string);
    const states = { before: accountOf(LIE), after: accountOf(genesisHash) };
    await party.tell(A as string, REPAIR_KINDS.done, await signRepairDone({ ...asked, ...states }, NODE_KEY));
    await until(async () => (await told()).length === 1);
    expect(await told()).toMatchObject([{ ptmKey: C, isSame: false, after: { storageRoot: genesisHash } }]);
    expect(await values()).toEqual([3, 3]);
  });

  it('is not heard about a contract in which it has no part', async () => {
    const asked = await request(A as string, { contract: parseAddress(closed) });
    const states = { before: accountOf(LIE), after: accountOf(genesisHash) };
    await party.tell(A as string, REPAIR_KINDS.done, await signRepairDone({ ...asked, ...states }, NODE_KEY));
    // Messages of two keys come in their order.
    expect(await refusalOf(A as string, { contract: UNKNOWN })).toBe('notShared');
    expect(await told()).toHaveLength(1);
  });

  const told = async () => (await first.result<RepairsView>('privacy_listRepairs', [])).told;
  const accountOf = (storageRoot: Hash) => ({ nonce: 1n, balance: 0n, storageRoot, codeHash: LIE });
});

describe('a party that floods', () => {
  it('does not keep others from agreeing', async () => {
    for (let count = 0; count < 40; count++) {
      await ask(A as string);
      await party.tell(A as string, REPAIR_KINDS.part, encodePart(LIE, count, Buffer.alloc(60_000, count)));
      await party.tell(A as string, REPAIR_KINDS.done, Buffer.alloc(524, count));
    }
    const { hash } = await sendAndMine(first, nodes, { data: accumulator.creation(1), privateFor: [B] });
    await until(async () => {
      const found = await first.result<{ parties: { agreement: string }[] }>('privacy_getAgreement', [hash]);
      return found.parties.every(({ agreement }) => agreement === 'agreed');
    });
    expect(await party.listHeard(A as string, REPAIR_KINDS.part)).toEqual([]);
  });
});
