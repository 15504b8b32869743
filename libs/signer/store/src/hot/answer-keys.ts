import { asBuffer } from '@tetrad/db';
import { qualified } from '@tetrad/db/client';
import type pg from 'pg';
import { idempotencyKey } from '../generated/tables.js';

/** What a key is answered with from now on, as JSON; null gives it up. */
export interface KeyAnswer {
  readonly idempotency: Uint8Array;
  readonly json: string | null;
}

const { table, columns } = idempotencyKey;
const { digest } = qualified(idempotencyKey).columns;

const ANSWER = `
  UPDATE ${table} SET ${columns.answer} = answers.json
    FROM unnest($1::bytea[], $2::text[]) AS answers (digest, json)
   WHERE ${digest} = ANY($1) AND ${digest} = answers.digest AND ${columns.answer} IS NULL AND json IS NOT NULL`;

const GIVE_UP = `DELETE FROM ${table} WHERE ${columns.digest} = ANY($1::bytea[]) AND ${columns.answer} IS NULL`;

/** Answers keys, or gives them up, unless they have an answer. */
export async function answerKeys(client: pg.ClientBase, answers: readonly KeyAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  await client.query({
    name: 'answer-idempotency-keys',
    text: ANSWER,
    values: [answers.map(({ idempotency }) => asBuffer(idempotency)), answers.map(({ json }) => json)],
  });
  const givenUp = answers.filter(({ json }) => json === null);
  if (givenUp.length === 0) return;
  await client.query({
    name: 'give-up-idempotency-keys',
    text: GIVE_UP,
    values: [givenUp.map(({ idempotency }) => asBuffer(idempotency))],
  });
}
