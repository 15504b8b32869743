import { describe, expect, it } from '@jest/globals';
import { REQUEST_ERROR_CODES } from '@tetrad/rpc';
import { z } from 'zod';
import { interfaceSections } from './interface-sections.js';
import { services } from './services.js';

const definitions = services.flatMap(({ name, methods, standardMethods }) =>
  Object.entries({ ...methods, ...standardMethods }).map(([method, definition]) => ({
    service: name,
    method,
    definition,
  })),
);

describe('the definitions', () => {
  it.each(services)(
    'of the $name are the methods of the interface document, no more and no fewer',
    (service) => {
      const documented = interfaceSections.filter(({ service: name }) => name === service.name);
      expect(Object.keys(service.methods).sort()).toEqual(
        documented.flatMap(({ methods }) => methods).sort(),
      );
    },
  );

  it('are 87 in all, with 86 names', () => {
    const names = services.flatMap(({ methods }) => Object.keys(methods));
    expect(names).toHaveLength(87);
    expect(new Set(names).size).toBe(86);
  });

  it.each(services)('of the $name name the section of the document they come from', ({ name, methods }) => {
    for (const { section, service, methods: documented } of interfaceSections) {
      if (service !== name) continue;
      for (const method of documented)
        expect(`${method}: ${methods[method]?.source}`).toContain(`"${section}"`);
    }
  });

  it.each(services)('of the $name beyond the document repeat none of its methods', (service) => {
    const both = Object.keys(service.standardMethods).filter((method) => method in service.methods);
    expect(both).toEqual([]);
  });

  it('declare only error reasons that the table of codes knows', () => {
    const declared = new Set(definitions.flatMap(({ definition }) => definition.errors));
    expect([...declared].filter((reason) => !(reason in REQUEST_ERROR_CODES)).sort()).toEqual([]);
  });

  it.each(definitions)('$service $method declares each rejection once', ({ definition }) => {
    expect(new Set(definition.errors).size).toBe(definition.errors.length);
  });

  it.each(definitions)(
    '$service $method has parameters and result that JSON Schema can describe',
    ({ definition }) => {
      for (const { schema } of definition.params)
        z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      z.toJSONSchema(definition.result, { io: 'input', unrepresentable: 'any' });
      const names = definition.params.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    },
  );

  it('give decode and encode for every parameter and result: none transforms one way only', () => {
    for (const { definition } of definitions) {
      for (const { schema } of [...definition.params, { schema: definition.result }]) {
        expect(() => z.safeEncode(schema, undefined as never)).not.toThrow();
      }
    }
  });
});
