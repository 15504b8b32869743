import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { optionPages } from './option-pages.js';

const root = resolve(import.meta.dirname, '../../..');

describe('the pages of options', () => {
  it('has one for each service, with its defaults', async () => {
    const pages = new Map(await optionPages(root));
    expect([...pages.keys()].sort()).toEqual(
      ['console', 'node', 'rollup-operator', 'signer', 'transaction-manager', 'wallet'].map(
        (name) => `docs/reference/options/${name}.md`,
      ),
    );
    expect(pages.get('docs/reference/options/node.md')).toContain('| `http-listen-port` | PORT | `22000` |');
  });

  it('are the same on every host: a default by processors is not shown', async () => {
    const text = new Map(await optionPages(root)).get('docs/reference/options/rollup-operator.md');
    expect(text).toContain('| `check-workers` | NUMBER |  | Threads');
  });

  it('cannot be made of services that are not built', async () => {
    await expect(optionPages('/nowhere')).rejects.toThrow('config.js');
  });
});
