import { describe, expect, it } from '@jest/globals';
import { addressCodec, defineMethod, optionalParam, param } from '@tetrad/rpc';
import { z } from 'zod';
import { methodPage } from './method-pages.js';

const ADDRESS = `0x${'ab'.repeat(20)}`;
const page = methodPage({
  name: 'node',
  title: 'Tetrad node',
  methods: {
    ledger_b: defineMethod({
      summary: 'Does b.',
      params: [
        param('who', addressCodec, 'account | contract'),
        optionalParam('how', z.union([z.enum(['fast', 'slow']), z.array(z.int())]), 'speed'),
      ],
      result: z.boolean(),
      errors: ['NONCE_TOO_LOW'],
      permission: 'sign',
      accepts: [{ what: 'a name in front', source: 'test', normalize: (params) => params }],
      source: 'test',
      examples: [{ summary: 'of one', params: [ADDRESS, 'fast'], result: true }],
    }),
  },
  standardMethods: {
    ledger_a: defineMethod({
      summary: 'Does a.',
      params: [],
      result: z.null(),
      source: 'test',
      examples: [],
    }),
  },
});

describe('the page of the methods of a service', () => {
  it('has a section for each, sorted', () => {
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, name]) => name)).toEqual(['ledger_a', 'ledger_b']);
  });

  it('shows parameters with their types, and which may be left out', () => {
    expect(page).toContain('| `who` | string | account \\| contract |');
    expect(page).toContain('| (`how`) | `"fast"` or `"slow"` or array of integer | speed |');
  });

  it('shows errors, permission, tolerances, and an example as it goes over the wire', () => {
    expect(page).toContain('[Errors](../errors.md): `NONCE_TOO_LOW`');
    expect(page).toContain('The token needs the permission `sign`.');
    expect(page).toContain('Also accepted: a name in front.');
    expect(page).toContain(`{"jsonrpc":"2.0","id":1,"method":"ledger_b","params":["${ADDRESS}","fast"]}`);
    expect(page).toContain('{"jsonrpc":"2.0","id":1,"result":true}');
  });
});
