import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ExplanationView,
  PartyAgreementView,
  PartyExplanationView,
  TransactionAgreementView,
} from '@tetrad/api-node';
import { keccak256, signDigest, signingKeyOf } from '@tetrad/crypto';
import {
  decodeList,
  encodeList,
  listDigest,
  RULES,
  openBlockStatement,
  openRules,
  signBlockStatement,
  signRules,
  splitBlock,
  statementHash,
  withBlock,
  type BlockStatement,
  type SignedBlockStatement,
  type StatedRules,
} from '@tetrad/node-agreement';
import { until } from '@tetrad/testkit';
import { privateEnvelopeOf } from '@tetrad/transactions';
import {
  ZERO_HASH,
  bytesFromHex,
  hexFromBytes,
  parseAddress,
  parseHash,
  type Hash,
  type Hex,
  type PtmKey,
} from '@tetrad/types';
import {
  RECORDED_KEYS,
  recordedAccounts,
  startPrivacyNetwork,
  type PrivacyNetwork,
  type TestManager,
} from '../../privacy-network.js';
import type { RunningNode } from '../../running-node.js';
import { MessageParty } from './message-party.js';
import { compiled, sendAndMine } from './private-contracts.js';
import { sendPayload } from './send-payload.js';

const [A, B, C] = RECORDED_KEYS.map(({ publicKey }) => publicKey) as [PtmKey, PtmKey, PtmKey];
const accumulator = compiled('Accumulator.sol', 'Accumulator');
const NODE_KEY = signingKeyOf(Buffer.alloc(32, 0x77));
const ACCOUNT = Buffer.alloc(32, 0x63);
const LIE = parseHash(`0x${'1e'.repeat(32)}`);

let network: PrivacyNetwork;
/** Nodes of A and B; the third manager has no node, and this test in its place. */
let nodes: readonly RunningNode[];
let first: RunningNode;
let manager: TestManager;
let party: MessageParty;

beforeAll(async () => {
  network = await startPrivacyNetwork({
    keys: RECORDED_KEYS,
    accounts: recordedAccounts(2),
    modules: 'eth,net,web3,debug,admin,eea,priv,privacy',
  });
  ({ nodes } = network);
  first = nodes[0] as RunningNode;
  manager = network.managers[2] as TestManager;
  party = new MessageParty(manager);
});
afterAll(() => network?.stop());

const tell = (kind: string, body: Uint8Array, to: string = A) => party.tell(to, kind, body);

/** A message of A, or of another party, that the predicate takes; what was read is acknowledged. */
const hear = (kind: string, isIt: (body: Buffer) => boolean, from: string = A) =>
  party.hear(from, kind, isIt);

/** What the node of A, or of another party, states to C of the block. */
async function statedOf(block: number, from = A): Promise<SignedBlockStatement> {
  const isIt = (body: Buffer) => openBlockStatement(body)?.block === block;
  return openBlockStatement(await hear('agreement-statement', isIt, from)) as SignedBlockStatement;
}

/** Signed by the node of C, as an answer to what A stated. */
const answer = ({ from, to, ...stated }: BlockStatement, changes: Partial<BlockStatement> = {}) =>
  signBlockStatement({ ...stated, from: to, to: from, ...changes }, NODE_KEY);

async function create(privateFor: readonly (string | undefined)[]) {
  const { hash, receipts } = await sendAndMine(first, nodes, { data: accumulator.creation(1), privateFor });
  const [receipt] = receipts;
  return { hash, block: Number(receipt?.blockNumber), contract: String(receipt?.contractAddress) };
}

async function agreementWith(
  key: string | undefined,
  hash: string,
  node = first,
): Promise<PartyAgreementView> {
  const found = await node.result<TransactionAgreementView>('privacy_getAgreement', [hash]);
  return found.parties.find(({ ptmKey }) => ptmKey === key) as PartyAgreementView;
}
const becomes = (key: string | undefined, hash: string, agreement: string, node = first) =>
  until(async () => (await agreementWith(key, hash, node)).agreement === agreement);

/** A list of one transaction, as C tells it. */
const listOf = (signed: Uint8Array, block: number, hash: string, digest: Hash) =>
  withBlock(block, encodeList(statementHash(signed), [{ hash: parseHash(hash), digest }]));

const bytesOf = (hex: unknown) => bytesFromHex(hex as Hex);

describe('a party that states nothing', () => {
  it('is pending, while others agree', async () => {
    const { hash } = await create([B, C]);
    await becomes(B, hash, 'agreed');
    expect(await agreementWith(C, hash)).toMatchObject({ agreement: 'pending' });
  });

  it('agrees once it states the same', async () => {
    const { hash, block } = await create([B, C]);
    await tell('agreement-statement', await answer(await statedOf(block)));
    await becomes(C, hash, 'agreed');
  });
});

describe('statements of another chain, block, sender or recipient', () => {
  it('change nothing', async () => {
    const { hash, block } = await create([B, C]);
    const stated = await statedOf(block);
    const replays: Partial<BlockStatement>[] = [
      { chainId: stated.chainId + 1n },
      { genesisHash: LIE },
      { blockHash: LIE },
      { block: block + 1 },
      { block: block + 1_000_000 },
      { from: B as typeof C },
      { to: B as typeof C },
    ];
    for (const change of replays)
      await tell('agreement-statement', await answer(stated, { digest: LIE, ...change }));
    await tell('agreement-statement', Buffer.alloc(298));
    // Messages of two keys come in their order.
    await tell('agreement-statement', await answer(stated));
    await becomes(C, hash, 'agreed');
  });
});

describe('a party that lies', () => {
  it('is convicted by its signature', async () => {
    const { hash, block } = await create([B, C]);
    const stated = await statedOf(block);
    const signed = await answer(stated, { digest: listDigest([{ hash: parseHash(hash), digest: LIE }]) });
    await tell('agreement-statement', signed);
    await tell('agreement-list', listOf(signed, block, hash, LIE));
    await becomes(C, hash, 'diverged');
    const { own, other, node } = await agreementWith(C, hash);
    expect(bytesOf(other?.statement)).toEqual(Uint8Array.from(signed));
    expect(openBlockStatement(bytesOf(other?.statement))?.signer).toBe(node);
    expect(openBlockStatement(bytesOf(own?.statement))).toMatchObject({ from: A, to: C, block });
    // What the node told of it is of its own contract, which C has as well.
    const isIt = (body: Buffer) => splitBlock(body)?.block === block;
    expect(
      decodeList(splitBlock(await hear('agreement-list', isIt))?.detail ?? body0())?.value,
    ).toMatchObject({
      outcomes: [{ hash }],
    });
  });

  it('is convicted by two statements of one revision', async () => {
    const { hash, block } = await create([B, C]);
    const stated = await statedOf(block);
    const other = parseHash(`0x${'2e'.repeat(32)}`);
    await tell('agreement-statement', await answer(stated, { digest: LIE }));
    await tell('agreement-statement', await answer(stated, { digest: other }));
    await until(async () => (await agreementWith(C, hash)).other?.before !== undefined);
    const said = (await agreementWith(C, hash)).other;
    const [last, before] = [said?.statement, said?.before].map((hex) => openBlockStatement(bytesOf(hex)));
    expect([last?.digest, before?.digest]).toEqual([other, LIE]);
    expect(last).toMatchObject({ revision: before?.revision, signer: before?.signer });
  });

  it('is not believed when a list is not the one that it has signed', async () => {
    const { hash, block } = await create([B, C]);
    const stated = await statedOf(block);
    const signed = await answer(stated, { digest: LIE });
    await tell('agreement-statement', signed);
    await tell('agreement-list', listOf(signed, block, hash, LIE));
    const next = await create([B, C]);
    await tell('agreement-statement', await answer(await statedOf(next.block)));
    await becomes(C, next.hash, 'agreed');
    expect(await agreementWith(C, hash)).toMatchObject({ agreement: 'pending' });
    expect((await agreementWith(C, hash)).other?.list).toBeUndefined();
  });
});

describe('a party that lies about the rules by which it executes', () => {
  it('is shown as having said so, and not believed where its signature is of another key or statement', async () => {
    const { hash, block, contract } = await create([B, C]);
    const digest = listDigest([{ hash: parseHash(hash), digest: LIE }]);
    const signed = await answer(await statedOf(block), { digest });
    await tell('agreement-statement', signed);
    await tell('agreement-list', listOf(signed, block, hash, LIE));
    await becomes(C, hash, 'diverged');
    const statement = statementHash(signed);
    const say = async (said: Partial<StatedRules>, key = NODE_KEY) => {
      const rules = new Map([[RULES.fork, 0]]);
      await tell('agreement-rules', withBlock(block, await signRules({ statement, rules, ...said }, key)));
    };
    await say({}, signingKeyOf(Buffer.alloc(32, 0x78)));
    await say({ statement: LIE });
    const next = await create([B, C]);
    await tell('agreement-statement', await answer(await statedOf(next.block)));
    await becomes(C, next.hash, 'agreed');
    expect(await explainedOf(contract)).toMatchObject({ rules: 'unknown', causes: [] });
    await say({});
    await until(async () => (await explainedOf(contract)).rules === 'different');
    // A second word does not replace the first.
    await say({ rules: new Map([[RULES.maxCodeSize, 1]]) });
    const last = await create([B, C]);
    await tell('agreement-statement', await answer(await statedOf(last.block)));
    await becomes(C, last.hash, 'agreed');
    const explained = await explainedOf(contract);
    expect(explained).toMatchObject({
      causes: [
        { kind: 'rules', at: 'other', isCertain: false, rules: [{ rule: 'fork', other: 'chainstart' }] },
      ],
    });
    expect(openRules(bytesOf(explained.other?.rules))?.signer).toBe((await agreementWith(C, hash)).node);
    expect(openRules(bytesOf(explained.own?.rules))?.statement).toBe(
      statementHash(bytesOf(explained.own?.statement)),
    );
  });

  async function explainedOf(contract: string): Promise<PartyExplanationView> {
    const found = await first.result<ExplanationView>('privacy_explainAgreement', [contract]);
    return found.parties.find(({ ptmKey }) => ptmKey === C) as PartyExplanationView;
  }
});

describe('a party that states different things to two parties', () => {
  it('agrees with one, and is convicted by the other, by the signature of one node', async () => {
    const second = nodes[1] as RunningNode;
    const code = Buffer.from(accumulator.creation(1).slice(2), 'hex');
    const raw = signPrivate(undefined, await sendPayload(manager, code, [A, B]));
    const hash = await first.result<string>('eth_sendRawTransaction', [raw]);
    const block = Number((await first.mined(hash)).blockNumber);
    const [toFirst, toSecond] = [await statedOf(block), await statedOf(block, B)];
    expect(toSecond.digest).toBe(toFirst.digest);
    await tell('agreement-statement', await answer(toFirst));
    const digest = listDigest([{ hash: parseHash(hash), digest: LIE }]);
    const lie = await answer(toSecond, { digest });
    await tell('agreement-statement', lie, B);
    await tell('agreement-list', listOf(lie, block, hash, LIE), B);
    await becomes(C, hash, 'agreed');
    await becomes(C, hash, 'diverged', second);
    const { other, node } = await agreementWith(C, hash, second);
    expect(openBlockStatement(bytesOf(other?.statement))).toMatchObject({ from: C, to: B, digest });
    expect((await agreementWith(C, hash)).node).toBe(node);
  });
});

describe('a party that asks about a contract which it does not have', () => {
  it('learns nothing of a transaction with which it reads the contract', async () => {
    const { contract } = await create([B]);
    const payload = Buffer.from(accumulator.interface.encodeFunctionData('inc', [1]).slice(2), 'hex');
    const raw = signPrivate(contract, await sendPayload(manager, payload, [A]));
    const hash = await first.result<string>('eth_sendRawTransaction', [raw]);
    const { blockNumber } = await first.mined(hash);
    const stated = await statedOf(Number(blockNumber));
    const nothing = [{ hash: parseHash(hash), digest: ZERO_HASH }];
    expect(stated.digest).toBe(listDigest(nothing));
    expect(await agreementWith(C, hash)).toMatchObject({ agreement: 'pending' });
    // A guess is not answered: neither a list nor an outcome says whether it is right.
    const signed = await answer(stated, { digest: listDigest([{ hash: parseHash(hash), digest: LIE }]) });
    await tell('agreement-statement', signed);
    await tell('agreement-list', listOf(signed, Number(blockNumber), hash, LIE));
    await becomes(C, hash, 'diverged');
    const isIt = (body: Buffer) => splitBlock(body)?.block === Number(blockNumber);
    const list = decodeList(splitBlock(await hear('agreement-list', isIt))?.detail ?? body0());
    expect(list?.value.outcomes).toEqual(nothing);
    await create([B, C]).then(({ block }) => statedOf(block));
    for (const from of [A, B]) {
      const outcomes = await party.listHeard(from, 'agreement-outcome');
      expect(outcomes.map((body) => splitBlock(body)?.block)).not.toContain(Number(blockNumber));
    }
  });
});

describe('a party that floods', () => {
  it('does not keep others from agreeing', async () => {
    const { hash, block } = await create([B, C]);
    const stated = await statedOf(block);
    const signed = await answer(stated, { digest: LIE });
    const bodies = Array.from(
      { length: 100 },
      (_, index) =>
        [
          ['agreement-statement', signed],
          ['agreement-list', listOf(signed, block, hash, LIE)],
          ['agreement-outcome', Buffer.alloc(60_000, index)],
          ['nothing-known', Buffer.alloc(1_000, index)],
        ] as const,
    ).flat();
    for (const [kind, body] of bodies) await tell(kind, body);
    const next = await create([B]);
    await becomes(B, next.hash, 'agreed');
    const other = await create([C]);
    await tell('agreement-statement', await answer(await statedOf(other.block)));
    await becomes(C, other.hash, 'agreed');
  });
});

function body0(): Uint8Array {
  return new Uint8Array(0);
}

let nonce = 0n;
/** A private transaction of C's account. */
function signPrivate(contract: string | undefined, data: Uint8Array): string {
  const to = contract === undefined ? undefined : parseAddress(contract);
  const fields = { nonce: nonce++, gasPrice: 0n, gasLimit: 3_000_000n, to, value: 0n, data };
  const envelope = privateEnvelopeOf(fields);
  return hexFromBytes(envelope.raw(signDigest(keccak256(envelope.preimage()), ACCOUNT)));
}
