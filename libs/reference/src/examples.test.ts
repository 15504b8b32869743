import { describe, expect, it } from '@jest/globals';
import type { MethodDefinition } from '@tetrad/rpc';
import { z } from 'zod';
import { services } from './services.js';

function normalized(definition: MethodDefinition, params: readonly unknown[]): readonly unknown[] {
  return definition.accepts.reduce((current, { normalize }) => normalize(current), params);
}

function decodeParams(definition: MethodDefinition, params: readonly unknown[]): unknown[] {
  expect(params.length).toBeLessThanOrEqual(definition.params.length);
  return definition.params.map(({ schema, optional }, index) => {
    const value = params[index];
    return optional && (value === undefined || value === null) ? undefined : z.decode(schema, value);
  });
}

function encodeParams(definition: MethodDefinition, decoded: readonly unknown[]): unknown[] {
  return definition.params.map(({ schema }, index) =>
    decoded[index] === undefined ? undefined : z.encode(schema, decoded[index]),
  );
}

describe.each(services)('examples of the $name', ({ methods, standardMethods }) => {
  const table = { ...methods, ...standardMethods };
  const cases = Object.entries(table).flatMap(([method, definition]) =>
    definition.examples.map((example) => ({ method, definition, example, summary: example.summary })),
  );

  it('has one for every method', () => {
    const without = Object.entries(table).filter(([, { examples }]) => examples.length === 0);
    expect(without.map(([method]) => method)).toEqual([]);
  });

  it.each(cases)('$method: $summary', ({ definition, example }) => {
    const decoded = decodeParams(definition, normalized(definition, example.params));
    const encoded = encodeParams(definition, decoded);
    expect(decodeParams(definition, encoded)).toEqual(decoded);
    const result = z.decode(definition.result, example.result);
    expect(JSON.parse(JSON.stringify(z.encode(definition.result, result)))).toEqual(example.result);
  });
});
