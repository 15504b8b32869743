import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { addressCodec, quantityCodec } from './codecs.js';
import { defineMethod, optionalParam, param } from './define-method.js';
import { createOpenRpcDocument } from './openrpc.js';

const methods = {
  test_b: defineMethod({
    summary: 'Second',
    source: 'interface document, "Somewhere"',
    params: [param('who', addressCodec, 'An account'), optionalParam('value', quantityCodec, 'Wei')],
    result: quantityCodec,
    errors: ['NONCE_TOO_LOW', 'UNDERPRICED', 'RATE_LIMITED'],
    accepts: [{ what: 'hex without 0x', source: 'a sample', normalize: (params) => params }],
    caller: 'network admin',
    examples: [{ summary: 'one', params: [`0x${'00'.repeat(20)}`, '0x1'], result: '0x2' }],
  }),
  test_a: defineMethod({ summary: 'First', source: 's', params: [], result: z.null(), examples: [] }),
};

describe('the OpenRPC document', () => {
  const document = createOpenRpcDocument({ title: 'Test', version: '1', description: 'd' }, methods);
  const [first, second] = document['methods'] as Record<string, unknown>[];

  it('lists the methods in alphabetical order', () => {
    expect(document).toMatchObject({ openrpc: '1.3.2', info: { title: 'Test' } });
    expect([first?.['name'], second?.['name']]).toEqual(['test_a', 'test_b']);
  });

  it('describes what goes over the wire, not what handlers see', () => {
    expect(second?.['params']).toEqual([
      {
        name: 'who',
        summary: 'An account',
        required: true,
        schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
      },
      { name: 'value', summary: 'Wei', required: false, schema: expect.objectContaining({ type: 'string' }) },
    ]);
    expect(second?.['result']).toMatchObject({ name: 'result', schema: { type: 'string' } });
  });

  it('lists every reason with its code, though several share one', () => {
    expect(second?.['x-refusals']).toEqual([
      { reason: 'NONCE_TOO_LOW', code: -32000 },
      { reason: 'UNDERPRICED', code: -32000 },
      { reason: 'RATE_LIMITED', code: -32005 },
    ]);
  });

  it('lists tolerances, roles, sources and examples', () => {
    expect(second).toMatchObject({
      'x-accepts': [{ what: 'hex without 0x', source: 'a sample' }],
      'x-caller': 'network admin',
      'x-source': 'interface document, "Somewhere"',
      examples: [
        { name: 'one', params: [{ name: 'who' }, { name: 'value', value: '0x1' }], result: { value: '0x2' } },
      ],
    });
    expect(first).not.toHaveProperty('x-caller');
  });
});
