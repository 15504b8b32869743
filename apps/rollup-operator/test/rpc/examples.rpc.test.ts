import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rollupHolderMethods } from '@tetrad/api-rollup-operator';
import type { MethodTable } from '@tetrad/rpc';
import { z } from 'zod';
import { startOperator, type RunningOperator } from '../running-operator.js';

const methods: MethodTable = rollupHolderMethods;
const cases = Object.entries(methods).flatMap(([method, definition]) =>
  definition.examples.map((example) => ({ method, definition, example, summary: example.summary })),
);

let operator: RunningOperator;
beforeAll(async () => {
  operator = await startOperator();
});
afterAll(() => operator.stop());

// The accounts and orders of the examples do not exist there, so most are rejected: with a reason that is documented.
describe('the examples of the reference', () => {
  it.each(cases)('$method, $summary, is answered as documented', async ({ method, definition, example }) => {
    const { error, result } = await operator.call(method, example.params);
    if (error === undefined) expect(z.safeDecode(definition.result, result)).toMatchObject({ success: true });
    else
      expect({ error, reasons: definition.errors }).toMatchObject({
        reasons: expect.arrayContaining([error.data?.['reason']]),
      });
  });
});
