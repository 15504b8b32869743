import { defineMethod, type MethodDefinition, type ParameterDefinition, type Tolerance } from '@tetrad/rpc';
import type { z } from 'zod';
import { OPERATION_HASH } from '../examples.js';
import { ACCOUNT_ID_BEFORE_HASH, HASH_AS_HEX } from '../tolerances.js';
import { acceptedCodec, listOf } from '../wire/records.js';
import { OPERATION_ERRORS, SOURCE, operationHash } from './params.js';

/** The three methods that each kind of operation has: creating one, finding one, and listing. */

type Example = MethodDefinition['examples'][number];

interface Described<Params extends readonly ParameterDefinition[]> {
  readonly summary: string;
  readonly params: Params;
  readonly accepts: readonly Tolerance[];
}

/**
 * Queues an operation.
 * @param options.errors - behind those of all operations
 * @param options.examples - each answered with the hash
 */
export function defineCreation<const Params extends readonly ParameterDefinition[]>({
  errors = [],
  examples,
  ...own
}: Described<Params> & {
  readonly errors?: readonly string[];
  readonly examples: readonly Pick<Example, 'summary' | 'params'>[];
}): MethodDefinition<Params, typeof acceptedCodec> {
  return defineMethod({
    ...own,
    result: acceptedCodec,
    errors: [...OPERATION_ERRORS, ...errors],
    source: SOURCE,
    examples: examples.map((example) => ({ ...example, result: { operationHash: OPERATION_HASH } })),
  });
}

/** Finds an operation by the hash that creating it gave; null when there is none. */
export function defineFind<Found extends z.ZodType>({
  found,
  ...own
}: {
  readonly summary: string;
  readonly found: Found;
  readonly examples: readonly Example[];
}): MethodDefinition<readonly [typeof operationHash], z.ZodNullable<Found>> {
  return defineMethod({
    ...own,
    params: [operationHash],
    result: found.nullable(),
    accepts: [ACCOUNT_ID_BEFORE_HASH, HASH_AS_HEX],
    source: SOURCE,
  });
}

/** Lists operations that accounts created, a page at a time. */
export function defineListing<const Params extends readonly ParameterDefinition[], Item extends z.ZodType>({
  item,
  ...own
}: Described<Params> & { readonly item: Item; readonly examples: readonly Example[] }) {
  return defineMethod({
    ...own,
    result: listOf(item),
    errors: ['ROLLUP_ACCOUNT_NOT_FOUND', 'RESPONSE_TOO_LARGE'],
    source: SOURCE,
  });
}
