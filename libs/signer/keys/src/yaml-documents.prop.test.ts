import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { KeyLoadError } from './key-load-error.js';
import { MAX_DOCUMENTS, readYamlDocuments } from './yaml-documents.js';

const name = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,20}$/);
const scalar = fc.oneof(
  fc.stringMatching(/^0x[0-9a-f]{1,64}$/),
  fc.integer().map(String),
  fc.constantFrom('true', 'No', '1e3', '0o17', '.inf', '2026-01-01', '010', '"'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const members = fc.dictionary(name, scalar, { minKeys: 1, maxKeys: 20, noNullPrototype: true });

/** A double-quoted scalar of YAML; JSON's text is one. */
const quoted = (text: string) => JSON.stringify(text);
const mapping = (one: Readonly<Record<string, string>>) =>
  Object.entries(one)
    .map(([key, value]) => `${key}: ${quoted(value)}\n`)
    .join('');

describe('documents of YAML', () => {
  it('come out as they went in, in order, whatever a scalar looks like', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(members, { maxLength: 12 }), async (all) => {
        const text = all.map(mapping).join('---\n');
        expect(await readYamlDocuments(text)).toMatchObject(all.map((value) => ({ value })));
      }),
      { numRuns: 200 },
    );
  });

  it.each(['0x25295f0d', '8200', 'true', '010', '1_000', '2026-01-01', 'yes'])(
    'keep %s as text without quotes too',
    async (plain) => {
      expect(await readYamlDocuments(`a: ${plain}\n`)).toMatchObject([{ value: { a: plain } }]);
    },
  );

  it.each(['', '# nothing\n', '---\n', '---\n---\n...\n', '\n\n---\n# note\n'])(
    'are absent from %j',
    async (text) => {
      expect(await readYamlDocuments(text)).toMatchObject([]);
    },
  );

  it('that are damaged do not take the others with them', async () => {
    const text =
      'a: 1\n---\na: [1\n---\nb: 1\nb: 2\n---\nc: &x 1\nd: *x\n---\n' + `${'['.repeat(60_000)}\n---\nz: 26\n`;
    expect(await readYamlDocuments(text)).toMatchObject([
      { value: { a: '1' } },
      { fault: expect.stringMatching(/^is not YAML \(line [34]\)$/) },
      { fault: 'has a member twice (line 6)' },
      { fault: 'has an alias (*name), which is not taken' },
      { fault: expect.stringContaining('is nested deeper than 8 levels') },
      { value: { z: '26' } },
    ]);
  });

  it('are refused above the limit', async () => {
    const text = 'a: 1\n---\n'.repeat(MAX_DOCUMENTS);
    expect(await readYamlDocuments(text)).toHaveLength(MAX_DOCUMENTS);
    await expect(readYamlDocuments(`${text}b: 1\n`)).rejects.toThrow(KeyLoadError);
  });

  it.each(['{a: ', '- ', '? ', '[', 'a:\n '])('of %j a thousand times over end in a fault', async (text) => {
    const [document] = await readYamlDocuments(text.repeat(20_000));
    expect(document).toEqual({ fault: expect.any(String) });
  });

  it('of any text are read or refused, and what is refused is not repeated', async () => {
    const noise = fc.array(
      fc.oneof(
        fc.constantFrom('\n', ' ', '  ', ': ', '- ', '---\n', '"', "'", '|', '>', '{', '}', '[', ']'),
        fc.constantFrom('&a ', '*a', '!t ', '%YAML 1.1\n', '#', ',', '?', '\t', 'c0ffee-secret', '\u0000'),
      ),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          noise.map((parts) => parts.join('')),
          fc.string(),
        ),
        async (text) => {
          for (const document of await readYamlDocuments(text)) {
            if ('fault' in document) expect(document.fault).not.toContain('c0ffee');
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
