import { expect, it } from '@jest/globals';
import { decodeViewKey, encodeViewKey } from '../src/audit/view-key-words.js';
import { signViewKey } from '../src/audit/view-key-file.js';
import { auditViewKey, makeViewKey } from '../src/index.js';
import { IdealLeafProver } from './audited-rollup.js';
import { auditedHistory } from './audited-history.js';

type Json = null | string | number | Json[] | { [name: string]: Json };

const { rollup, alice } = auditedHistory();
const contract = rollup.contract();
const verifier = new IdealLeafProver();
const { viewKey } = await makeViewKey(contract, alice.keys, {
  auditor: 'A',
  purpose: 'P',
  fromBlock: 0,
  prover: verifier,
  from: 5,
  to: 8,
  showsAllReceived: true,
});
const text = encodeViewKey(viewKey) as unknown as Json;

/** Another value of the same form. */
function other(value: string | number): string | number {
  if (typeof value === 'number') return value + 1;
  if (/^\d+$/.test(value)) return String(BigInt(value) + 1n);
  const last = value.at(-1);
  return value.slice(0, -1) + (last === '0' ? '1' : '0');
}

/** Each copy in which one value is another, with the path to it. */
function* altered(value: Json): Generator<readonly [path: string, copy: Json]> {
  if (typeof value === 'string' || typeof value === 'number') yield ['', other(value)];
  else if (value !== null)
    for (const [name, field] of Object.entries(value))
      for (const [path, changed] of altered(field)) {
        const copy = Array.isArray(value) ? [...value] : { ...value };
        (copy as Record<string, Json>)[name] = changed;
        yield [`${name}${path === '' ? '' : `.${path}`}`, copy];
      }
}

it('a holder who signs any other value than is true is refused', async () => {
  const accepted: string[] = [];
  let tried = 0;
  for (const [path, copy] of altered(text)) {
    tried += 1;
    try {
      const forged = signViewKey(decodeViewKey(copy as never), alice.keys.secretKey);
      await auditViewKey(contract, forged, { verifier, fromBlock: 0 });
      accepted.push(path);
    } catch (error) {
      expect((error as { code?: string }).code).toBe('DISCLOSURE_REFUSED');
    }
  }
  expect(tried).toBeGreaterThan(150);
  // The history before batch 5 goes on from its leaf 4 and the node before that, which is at level 2.
  const frontier = Array.from({ length: 32 }, (_, level) => `opening.frontier.${level}`);
  const used = [0, 2];
  expect(accepted).toEqual([
    // The schema knows one version, and what is free text is what was signed.
    'version',
    'auditor',
    'purpose',
    // One block more holds no further batch of the period.
    'period.toBlock',
    ...frontier.filter((_, level) => !used.includes(level)),
  ]);
});
