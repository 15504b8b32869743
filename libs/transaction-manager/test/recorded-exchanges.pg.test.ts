import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@tetrad/testkit';
import { recorded } from './recorded.js';
import { Replay, type Compared } from './replay.js';
import { startManager, type RunningManager } from './running-managers.js';

/** Where we answer otherwise than API 3.0 did, and what. */
const OURS: Readonly<Record<string, { readonly status?: number; readonly body?: unknown }>> = {
  'version-api': { body: ['1.0', '2.0', '2.1', '3.0', '4.0', '5.0'] },
  'send f2 v4': { status: 201 },
  mandatory: {
    status: 400,
    body: 'Operation invalid. Transaction found is not a mandatory recipients privacy type',
  },
  'sendsignedtx again': { body: expect.stringMatching(/^Transaction with hash .*== exists already$/) },
  'err f3 over f1': { body: expect.stringMatching(/^Privacy metadata mismatched with Affected Txn .*==$/) },
  'err f0 over f1': { body: expect.stringMatching(/^Privacy metadata mismatched with Affected Txn .*==$/) },
  'POST delete again': { body: '' },
  'resend lower': { body: 'type must be ALL or INDIVIDUAL' },
  'push garbage': { body: expect.any(String) },
  'partyinfo garbage': { body: expect.any(String) },
};

/** Random fields are represented by their length. */
const BARE_PAYLOADS: Readonly<Record<string, object>> = {
  'encodedpayload create': { cipherText: 28, cipherTextNonce: 32, recipientBoxes: [64], recipientNonce: 32 },
  'encodedpayload create to': {
    cipherText: 28,
    cipherTextNonce: 32,
    recipientBoxes: [64, 64],
    recipientNonce: 32,
    affectedContractTransactions: [88],
  },
};

/** Requests that send payloads whose storing was not recorded. */
const RAW_NOT_RECORDED = /^sendsignedtx (json|octet)$/;

/** Entries that follow from pushes which were not recorded: 6 to 25, and two about the contract of one of those. */
const PUSH_NOT_RECORDED = [...Array.from({ length: 20 }, (_, index) => 6 + index), 29, 35];

let managers: RunningManager[];
let replay: Replay;
beforeAll(async () => {
  const first = await startManager(['a1', 'a2'], { proveKeys: false });
  const peers = [first.peerUrl];
  const second = await startManager(['b1', 'b2'], { proveKeys: false, peers });
  const third = await startManager(['c1'], { proveKeys: false, peers, enhanced: false });
  managers = [first, second, third];
  replay = new Replay(managers);
  await replay.seed();
  for (const { thirdPartyUrl } of managers) {
    await until(async () => {
      const answer = await fetch(`${thirdPartyUrl}partyinfo/keys`);
      return ((await answer.json()) as { keys: unknown[] }).keys.length === 5;
    });
  }
});
afterAll(async () => {
  for (const manager of managers) await manager.end();
});

/** Asked between recorded requests: everything of the second manager, which lost one payload. */
async function resendAll(): Promise<void> {
  const body = JSON.stringify({ type: 'ALL', publicKey: recorded.keys['b1']?.public });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${managers[0]?.peerUrl}resend`, { method: 'POST', headers, body });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
}

/** The members that are random in an answer, as their lengths. */
function lengthsIn(body: object, random: object): Record<string, unknown> {
  const values = body as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(random).map((name) => {
      const value = values[name];
      if (typeof value === 'string') return [name, value.length];
      return [name, Object.values(value as object).map((one: unknown) => String(one).length)];
    }),
  );
}

function withLengths(answer: Compared, random: object): Compared {
  const body = answer.body as object;
  const affected = Object.keys(
    (body as { affectedContractTransactions: object }).affectedContractTransactions,
  );
  return { ...answer, body: { ...body, ...lengthsIn(body, random), affected } };
}

describe('exchanges with running managers', () => {
  it.each(recorded.http.map((exchange, index) => ({ exchange, index, name: exchange.name })))(
    '$index $name',
    async (one) => {
      if (RAW_NOT_RECORDED.test(one.name)) await replay.storeRawFor(one.exchange.request);
      if (one.name === 'after resend') await resendAll();
      const { expected, answered } = await replay.ask(one.exchange);
      const other = OURS[one.name];
      const bare = BARE_PAYLOADS[one.name];
      if (bare !== undefined) {
        expect(withLengths(answered, bare)).toEqual(withLengths(expected, bare));
        expect(lengthsIn(answered.body as object, bare)).toEqual(bare);
      } else if (other === undefined) expect(answered).toEqual(expected);
      else expect(answered).toMatchObject({ status: expected.status, ...other });
    },
  );
});

describe('pushes that are wrong in one way', () => {
  const pushed = recorded.forgedPushes.filter((_, index) => !PUSH_NOT_RECORDED.includes(index));
  // What follows came after other pushes, of party information, from a manager that is not there.
  const end = pushed.findIndex(({ name }) => name === 'partyinfo post');
  it.each(pushed.slice(0, end).map((exchange, index) => ({ exchange, index, name: exchange.name })))(
    '$index $name',
    async ({ exchange }) => {
      const { expected, answered } = await replay.ask(exchange);
      expect(answered).toEqual(expected);
    },
  );
});
