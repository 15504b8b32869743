import { describe, expect, it } from '@jest/globals';
import { REQUEST_ERROR_CODES } from '@tetrad/rpc';
import { z } from 'zod';
import { signerRestMethods } from './rest.js';

describe('the methods behind the REST routes', () => {
  it.each(Object.entries(signerRestMethods))('%s is described by examples that hold', (_name, definition) => {
    expect(definition.examples).not.toEqual([]);
    for (const { params, result } of definition.examples) {
      for (const [index, { schema }] of definition.params.entries()) {
        expect(z.encode<z.ZodType>(schema, schema.parse(params[index]))).toEqual(params[index]);
      }
      expect(definition.result.safeParse(result).success).toBe(true);
    }
    for (const reason of definition.errors) expect(REQUEST_ERROR_CODES).toHaveProperty(reason);
  });
});
