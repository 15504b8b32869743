import { expect, it } from '@jest/globals';
import { OPERATION_HASH } from '../examples.js';
import { creationCodec, creationItemCodec } from '../wire/records.js';
import { defineCreation, defineFind, defineListing } from './operation-methods.js';
import { OPERATION_ERRORS, nonce } from './params.js';

const described = { summary: 'Does something.', params: [nonce], accepts: [] } as const;

it('creating an operation is answered with its hash, and refused for the reasons of all and its own', () => {
  const { errors, examples } = defineCreation({
    ...described,
    errors: ['AMOUNT_TOO_LOW'],
    examples: [{ summary: 'one', params: [1] }],
  });
  expect(errors).toEqual([...OPERATION_ERRORS, 'AMOUNT_TOO_LOW']);
  expect(examples).toEqual([{ summary: 'one', params: [1], result: { operationHash: OPERATION_HASH } }]);
});

it('finding an operation takes its hash and gives null when there is none', () => {
  const method = defineFind({ summary: 'Finds one.', found: creationCodec, examples: [] });
  expect(method.params.map(({ name }) => name)).toEqual(['operationHash']);
  expect(method.result.safeParse(null).success).toBe(true);
  expect(method.accepts).toHaveLength(2);
});

it('a listing of operations is a page', () => {
  const method = defineListing({ ...described, item: creationItemCodec, examples: [] });
  expect(method.result.safeParse({ hasMoreResults: false, items: [] }).success).toBe(true);
  expect(method.errors).toEqual(['ROLLUP_ACCOUNT_NOT_FOUND', 'RESPONSE_TOO_LARGE']);
});
