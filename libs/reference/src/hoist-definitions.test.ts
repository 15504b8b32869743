import { describe, expect, it } from '@jest/globals';
import { createOpenRpcDocument } from '@tetrad/rpc';
import { hoistDefinitions, withSharedSchemas } from './hoist-definitions.js';
import { services } from './services.js';

/** Every `$ref` below the value. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === '$ref' && typeof member === 'string' ? [member] : references(member),
  );
}

describe('shared schemas', () => {
  it('take the parts of a recursive schema, which then refers to them', () => {
    const tree = {
      $ref: '#/$defs/tree',
      $defs: { tree: { type: 'array', items: { $ref: '#/$defs/tree' } } },
    };
    expect(hoistDefinitions(tree, 'm.')).toEqual({
      schema: { $ref: '#/components/schemas/m.tree' },
      definitions: { 'm.tree': { type: 'array', items: { $ref: '#/components/schemas/m.tree' } } },
    });
  });

  it('leave every other schema as it is', () => {
    expect(hoistDefinitions({ type: 'string' }, 'm.')).toEqual({
      schema: { type: 'string' },
      definitions: {},
    });
  });

  it.each(services)(
    'are all that the document of the $name refers to',
    ({ title, methods, standardMethods }) => {
      const info = { title, version: '0', description: title };
      const document = withSharedSchemas(
        createOpenRpcDocument(info, { ...methods, ...standardMethods }) as unknown as Parameters<
          typeof withSharedSchemas
        >[0],
      );
      const { schemas } = document.components as { schemas: Record<string, unknown> };
      for (const reference of references(document)) {
        expect(Object.keys(schemas)).toContain(reference.replace('#/components/schemas/', ''));
      }
    },
  );
});
