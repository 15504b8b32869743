/** A field of a model, as Prisma describes it to generators. */
interface Field {
  readonly name: string;
  readonly kind: string;
  readonly dbName?: string | null;
}

/** A model of a schema. */
export interface Model {
  readonly name: string;
  readonly dbName: string | null;
  readonly fields: readonly Field[];
}

/**
 * The module that gives statements the names of tables and columns: a statement names models and fields, so that a renamed
 * one fails the type check.
 *
 * @param models - of one schema
 * @returns TypeScript: for each model, by its name in camel case, the table, its columns by field, and the type of the row
 */
export function tablesText(models: readonly Model[]): string {
  const head = [
    '// Generated from the schema. Names of tables and columns, by models and fields.',
    "import type { Table } from '@tetrad/db/client';",
    `import type * as models from './models.js';`,
    '',
  ];
  return [...head, ...models.map(tableText)].join('\n');
}

function tableText({ name, dbName, fields }: Model): string {
  const columns = fields
    .filter(({ kind }) => kind === 'scalar' || kind === 'enum')
    .map((field) => `    ${field.name}: '${field.dbName ?? field.name}',`);
  return [
    `export const ${name.charAt(0).toLowerCase()}${name.slice(1)}: Table<models.${name}Model> = {`,
    `  table: '${dbName ?? name}',`,
    '  columns: {',
    ...columns,
    '  },',
    '};',
    '',
  ].join('\n');
}
