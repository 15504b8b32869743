import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { REQUEST_ERROR_CODES } from '@tetrad/rpc';
import { errorsPage } from './errors-page.js';
import { services } from './services.js';

const page = errorsPage(resolve(import.meta.dirname, '../../..'), services);
const rows = new Map(
  [...page.matchAll(/^\| `([A-Z0-9_]+)` \| (-?\d+) \| (.*) \| (.*) \|$/gm)].map(
    ([, reason = '', code, text, methods]) => [reason, { code: Number(code), text, methods }],
  ),
);

describe('the page of errors', () => {
  it('has every reason with its code', () => {
    const codes = Object.fromEntries([...rows].map(([reason, { code }]) => [reason, code]));
    expect(codes).toEqual(REQUEST_ERROR_CODES);
  });

  it('shows texts of the source, with their values left open', () => {
    expect(rows.get('NONCE_TOO_LOW')?.text).toBe('nonce too low');
    expect(rows.get('NO_PRIVACY_METADATA')?.text).toBe('…: no account extra data found');
    const without = [...rows.values()].filter(({ text }) => text === '');
    expect(without.length).toBeLessThan(rows.size / 4);
  });

  it('links the methods that declare a reason, and counts those beyond four', () => {
    expect(rows.get('FILTER_NOT_FOUND')?.methods).toContain(
      '[eth_getFilterChanges](methods/node.md#eth_getfilterchanges)',
    );
    expect(rows.get('NONCE_TOO_LOW')?.methods).toMatch(/ and \d+ more$/);
    expect(rows.get('DAMAGED_KEY')?.methods).toContain('(methods/wallet.md#coin');
  });
});
