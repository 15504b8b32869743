import { describe, expect, it } from '@jest/globals';
import type { MethodDefinition } from '@tetrad/rpc';
import fc from 'fast-check';
import { services } from './services.js';

const hexLike = fc.oneof(
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFx'), maxLength: 140 })
    .map((text) => `0x${text}`),
  fc.constantFrom(
    '0x',
    '0x0',
    '0x00',
    'latest',
    '',
    'null',
    '-0x1',
    `0x${'f'.repeat(64)}`,
    `0x${'f'.repeat(65)}`,
  ),
);
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.bigInt(),
  fc.constantFrom(2 ** 53, -0, Number.NaN, 2n ** 256n),
);
const leaf = fc.oneof(hexLike, number, fc.string(), fc.boolean(), fc.constant(null), fc.constant(undefined));
const value = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 4 }),
  fc.dictionary(fc.string(), leaf, { maxKeys: 4 }),
  fc.anything(),
);

/** The value with one of its members, at any depth, replaced. */
function withReplacement(original: unknown, path: readonly number[], replacement: unknown): unknown {
  if (typeof original !== 'object' || original === null || path.length === 0) return replacement;
  const keys = Object.keys(original);
  const key = keys[(path[0] ?? 0) % Math.max(keys.length, 1)];
  if (key === undefined) return replacement;
  const changed = withReplacement((original as Record<string, unknown>)[key], path.slice(1), replacement);
  return Array.isArray(original)
    ? original.map((member: unknown, index) => (String(index) === key ? changed : member))
    : { ...original, [key]: changed };
}

function read(definition: MethodDefinition, params: readonly unknown[]): void {
  const normal = definition.accepts.reduce((current, { normalize }) => normalize(current), params);
  definition.params.forEach(({ schema }, index) => schema.safeParse(normal[index]));
}

describe.each(services)('malformed parameters of the $name', ({ methods, standardMethods }) => {
  const cases = Object.entries({ ...methods, ...standardMethods })
    .filter(([, { params }]) => params.length > 0)
    .map(([method, definition]) => ({ method, definition }));

  it.each(cases)('of $method are validated without a throw', ({ definition }) => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), (params) =>
        expect(() => read(definition, params)).not.toThrow(),
      ),
      { numRuns: 40 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }),
        value,
        fc.nat(9),
        (path, wrong, which) => {
          const example = definition.examples[which % definition.examples.length];
          const params = withReplacement(example?.params ?? [], path, wrong);
          if (!Array.isArray(params)) return;
          expect(() => read(definition, params)).not.toThrow();
        },
      ),
      { numRuns: 60 },
    );
  });
});
