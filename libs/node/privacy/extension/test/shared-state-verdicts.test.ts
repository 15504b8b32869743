import { beforeEach, describe, expect, it } from '@jest/globals';
import { payloadHash } from '@tetrad/node-private-state';
import { silentLogger, type Address } from '@tetrad/types';
import { checkSharedState, type ConfirmationRule } from '../src/confirmation/check-shared-state.js';
import { decodeStatement, signStatement, type StateStatement } from '../src/confirmation/state-statement.js';
import {
  CONTRACT,
  MANAGEMENT,
  PartyNetwork,
  SHARED,
  keyOf,
  stateWith,
  type PartyNode,
  type PartyOptions,
} from './party-network.js';

const [INITIATOR, PARTY, STRANGER, RECIPIENT] = [0, 1, 2, 3].map(keyOf) as [
  ReturnType<typeof keyOf>,
  ReturnType<typeof keyOf>,
  ReturnType<typeof keyOf>,
  ReturnType<typeof keyOf>,
];
const PARTIES = [INITIATOR, PARTY];
const WAIT_MS = 5_000;
/** The contract's state from block 1 on, and from block 12 on, when a transaction changed it. */
const HISTORY = new Map([
  [1, stateWith(1)],
  [12, stateWith(2)],
]);

let network: PartyNetwork;
let recipient: PartyNode;
/** Initiator, party, a stranger that claims to have another state, and the recipient. */
function start(more: { readonly initiator?: PartyOptions; readonly party?: PartyOptions } = {}) {
  network = new PartyNetwork();
  network.add({ states: HISTORY, parties: PARTIES, row: 'initiator', ...more.initiator });
  network.add({ states: HISTORY, parties: PARTIES, ...more.party });
  network.add({ states: new Map([[1, stateWith(9)]]), parties: [...PARTIES, RECIPIENT], row: 'other' });
  recipient = network.add({ row: 'other' });
}
beforeEach(() => start());

async function check(state = stateWith(2), rule: ConfirmationRule = 'unless-contradicted') {
  const reports: unknown[] = [];
  const report = (_: string, values?: object) => void reports.push(values);
  const logger = { ...silentLogger, info: report, error: report };
  const { confirmations } = recipient;
  const offer = {
    management: MANAGEMENT,
    contract: CONTRACT,
    block: SHARED,
    stateHash: payloadHash(Buffer.alloc(64, 5)),
    state: { ...state, code: new Uint8Array(1), storage: new Map() },
  };
  const parts = { rule, waitMs: WAIT_MS, confirmations, store: recipient, manager: recipient, logger };
  const began = network.clock.now();
  const answer = await network.run(checkSharedState(parts, offer));
  return { answer, report: reports[0], tookMs: network.clock.now() - began };
}

const ACCEPTED = { kind: 'known', value: true };
const REFUSED = { kind: 'known', value: false };

describe('a state that is shared with a node', () => {
  it('is accepted when the initiator and the party that only the initiator names confirm it', async () => {
    const { answer, report } = await check();
    expect(answer).toEqual(ACCEPTED);
    expect(report).toMatchObject({ confirmed: PARTIES, contradicted: [], silent: [] });
  });

  it('is accepted when it is that of an earlier block since the approval', async () => {
    expect((await check(stateWith(1))).answer).toEqual(ACCEPTED);
  });

  it('is refused when it is that of a block before the approval', async () => {
    const old = new Map([
      [1, stateWith(1)],
      [5, stateWith(2)],
    ]);
    start({ initiator: { states: old }, party: { states: old } });
    expect((await check(stateWith(1))).answer).toEqual(REFUSED);
  });

  it('is refused when the initiator altered one slot, which the party contradicts', async () => {
    start({ initiator: { states: new Map([[1, stateWith(7)]]) } });
    const { answer, report } = await check(stateWith(7));
    expect(answer).toEqual(REFUSED);
    expect(report).toMatchObject({ confirmed: [INITIATOR], contradicted: [PARTY] });
  });

  it.each([
    ['nonce', { nonce: 2n }],
    ['balance', { balance: 1n }],
    ['code', { codeHash: stateWith(3).storageRoot }],
  ])('is refused when the initiator altered the %s', async (_what, change) => {
    start({ initiator: { states: new Map([[1, stateWith(2, change)]]) } });
    expect((await check(stateWith(2, change))).answer).toEqual(REFUSED);
  });

  it('is refused when it is not what the initiator’s own node says', async () => {
    expect((await check(stateWith(7))).report).toMatchObject({ contradicted: PARTIES });
  });

  it('is accepted after the wait when a party stalls, unless all must confirm', async () => {
    start({ party: { isSilent: true } });
    const { answer, report, tookMs } = await check();
    expect(answer).toEqual(ACCEPTED);
    expect(report).toMatchObject({ confirmed: [INITIATOR], silent: [PARTY] });
    expect(tookMs).toBeLessThanOrEqual(WAIT_MS + 200);
    start({ party: { isSilent: true } });
    expect((await check(stateWith(2), 'all')).answer).toEqual(REFUSED);
  });

  it('is accepted from a node of the original software, which answers nothing', async () => {
    start({ initiator: { isSilent: true } });
    const { answer, report } = await check();
    expect(answer).toEqual(ACCEPTED);
    expect(report).toMatchObject({ confirmed: [], silent: [INITIATOR] });
  });

  it('is not checked when the node stops', async () => {
    start({ initiator: { isSilent: true } });
    network.clock.schedule(2_000, () => recipient.confirmations.stop());
    expect((await check()).answer).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a statement of a liar', () => {
  /** Sends what the party's honest statement becomes by the change, from the node, in the time of the next question. */
  function answerAs(node: PartyNode, change: (honest: StateStatement) => StateStatement, signedBy = node) {
    const { send } = recipient.mail;
    Object.assign(recipient.mail, {
      async send(message: Uint8Array, from: typeof RECIPIENT, to: typeof RECIPIENT) {
        const hash = await send(message, from, to);
        network.clock.schedule(1, () => {
          const [honest] = statementsOf(network.nodes[0] as PartyNode);
          if (honest === undefined) throw new Error('the initiator has not answered');
          const forged = change({ ...honest, party: node.key, state: stateWith(9), parties: [] });
          void signStatement(forged, signedBy.nodeKey).then((bytes) =>
            node.mail.send(bytes, node.key, RECIPIENT),
          );
        });
        return hash;
      },
    });
  }

  const [party, stranger] = [1, 2];
  const nodeAt = (index: number) => network.nodes[index] as PartyNode;

  it('who is a party blocks the state', async () => {
    start({ party: { isSilent: true } });
    answerAs(nodeAt(party), (statement) => statement);
    expect((await check()).report).toMatchObject({ contradicted: [PARTY] });
  });

  it.each<[string, number, (honest: StateStatement) => StateStatement]>([
    ['is no party', stranger, (statement) => statement],
    ['says that it is the party', stranger, (statement) => ({ ...statement, party: PARTY })],
    ['names itself a party', stranger, (statement) => ({ ...statement, parties: [STRANGER] })],
    ['answers another chain’s', party, (statement) => ({ ...statement, chainId: 1n })],
    ['answers for another contract', party, (statement) => ({ ...statement, contract: MANAGEMENT })],
    [
      'answers for another extension',
      party,
      (statement) => ({ ...statement, management: CONTRACT as Address }),
    ],
    ['answers another recipient', party, (statement) => ({ ...statement, recipientKey: STRANGER })],
    ['answers an earlier question', party, (statement) => ({ ...statement, id: statement.blockHash })],
    ['answers for an earlier block', party, (statement) => ({ ...statement, block: 9 })],
    ['answers for a later block', party, (statement) => ({ ...statement, block: SHARED })],
    [
      'answers for a block of another chain',
      party,
      (statement) => ({ ...statement, blockHash: statement.id }),
    ],
  ])('who %s does not count', async (_what, index, change) => {
    start({ party: { isSilent: true } });
    answerAs(nodeAt(index), change);
    const { answer, report } = await check();
    expect(answer).toEqual(ACCEPTED);
    expect(report).toMatchObject({ confirmed: [INITIATOR], contradicted: [], silent: [PARTY] });
  });

  it('who has signed with another node’s key does not count', async () => {
    start({ party: { isSilent: true } });
    answerAs(nodeAt(party), (statement) => statement, nodeAt(stranger));
    expect((await check()).report).toMatchObject({ contradicted: [], silent: [PARTY] });
  });
});

function statementsOf(node: PartyNode) {
  return node.sent.flatMap((hash) => {
    const payload = network.payloads.get(Buffer.from(hash).toString('base64'));
    return (payload && decodeStatement(payload.plaintext)) ?? [];
  });
}

describe('a question', () => {
  const ask = (node: PartyNode, recipientKey = node.key, waitMs = WAIT_MS) =>
    network.run(
      node.confirmations.ask(
        {
          contract: CONTRACT,
          management: MANAGEMENT,
          recipientKey,
          initiatorKey: INITIATOR,
          knownParties: [PARTY],
          firstBlock: 1,
          lastBlock: 13,
          wanted: stateWith(1).storageRoot,
        },
        waitMs,
      ),
    );

  it('of a stranger gets no answer, whomever it names as the recipient', async () => {
    const stranger = network.nodes[2] as PartyNode;
    expect((await ask(stranger))?.statements.size).toBe(0);
    expect((await ask(stranger, RECIPIENT))?.statements.size).toBe(0);
    expect(statementsOf(network.nodes[0] as PartyNode)).toEqual([]);
  });

  it('about an extension that no party began gets no answer', async () => {
    const [initiator] = network.nodes;
    Object.assign(initiator as PartyNode, { initiatorKey: STRANGER });
    expect((await ask(recipient))?.statements.size).toBe(0);
  });

  it('is answered a limited number of times for one key', async () => {
    for (let count = 0; count < 40; count++) await ask(recipient, RECIPIENT, 100);
    const answered = statementsOf(network.nodes[0] as PartyNode).length;
    expect(answered).toBeGreaterThan(10);
    expect(answered).toBeLessThan(40);
  });
});
