import { expect, it } from '@jest/globals';
import { signingKeyOf } from '@tetrad/crypto';
import { decodeQuestion, encodeQuestion } from '../src/confirmation/state-question.js';
import { decodeStatement, signStatement } from '../src/confirmation/state-statement.js';
import { CONTRACT, MANAGEMENT, hashOf, keyOf, stateWith } from './party-network.js';

const subject = {
  chainId: 2n ** 64n,
  contract: CONTRACT,
  management: MANAGEMENT,
  recipientKey: keyOf(3),
  id: hashOf(99),
};
const question = { ...subject, firstBlock: 1, lastBlock: 2 ** 40, lastHash: hashOf(2), wanted: hashOf(3) };
const statement = {
  ...subject,
  party: keyOf(1),
  block: 7,
  blockHash: hashOf(7),
  parties: [keyOf(4), keyOf(5)],
  state: stateWith(1, { nonce: 2n ** 63n, balance: 2n ** 255n }),
};
const NODE_KEY = signingKeyOf(Buffer.alloc(32, 8));
const [QUESTION_BYTES, STATEMENT_BYTES] = [244, 471];

it('questions have the size of the specification, and are read as they were written', () => {
  const bytes = encodeQuestion(question);
  expect(bytes.length).toBe(QUESTION_BYTES);
  expect(decodeQuestion(bytes)).toEqual(question);
  expect(decodeStatement(bytes)).toBeUndefined();
});

it('statements have the size of the specification, and are read as they were written', async () => {
  const bytes = await signStatement(statement, NODE_KEY);
  expect(bytes.length).toBe(STATEMENT_BYTES);
  expect(decodeStatement(bytes)).toMatchObject(statement);
  expect(decodeQuestion(bytes)).toBeUndefined();
});

it('messages that end early or go on too long are none', async () => {
  const longer = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.of(0)]);
  const [asked, stated] = [encodeQuestion(question), await signStatement(statement, NODE_KEY)];
  for (let length = 0; length < asked.length; length++)
    expect(decodeQuestion(asked.subarray(0, length))).toBeUndefined();
  for (let length = 0; length < stated.length; length++)
    expect(decodeStatement(stated.subarray(0, length))).toBeUndefined();
  expect([decodeQuestion(longer(asked)), decodeStatement(longer(stated))]).toEqual([undefined, undefined]);
  expect(decodeQuestion(encodeQuestion({ ...question, firstBlock: 9, lastBlock: 8 }))).toBeUndefined();
});

it('a changed statement has another signer, or none', async () => {
  const bytes = await signStatement(statement, NODE_KEY);
  const { signer } = decodeStatement(bytes) ?? {};
  for (let at = 0; at < bytes.length; at++) {
    const changed = Uint8Array.from(bytes);
    changed[at] = (changed[at] as number) ^ 1;
    expect(decodeStatement(changed)?.signer).not.toBe(signer);
  }
});
