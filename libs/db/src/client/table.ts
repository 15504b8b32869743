/** A table of a schema: the names of its columns by the fields of its model, and the type of a row of the model. */
export interface Table<Model extends object = object> {
  readonly table: string;
  readonly columns: { readonly [Field in keyof Model & string]: string };
  /** Type only; never there. */
  readonly model?: Model;
}

type ModelOf<Of extends Table> = NonNullable<Of['model']>;

/** What the driver makes of a column where Prisma's client makes another type: int8 is a number here, bytea a Buffer, numeric text. */
type Driven<Value> = Value extends bigint
  ? number
  : Value extends Uint8Array
    ? Buffer<ArrayBuffer>
    : Value extends { toFixed(places?: number): string; isNegative(): boolean }
      ? string
      : Value;

/** The row that a statement reads when it selects `columnsOf` these fields. */
export type SqlRow<Of extends Table, Field extends keyof ModelOf<Of> = keyof ModelOf<Of>> = {
  readonly [Name in Field]: Driven<ModelOf<Of>[Name]>;
};

/**
 * The columns of a SELECT, named as the fields of the model.
 *
 * @param table - of the schema
 * @param fields - of its model
 * @returns for example `address, derivation_path AS "derivationPath"`
 */
export function columnsOf<Model extends object>(
  { columns }: Table<Model>,
  fields: readonly (keyof Model & string)[],
): string {
  return fields
    .map((field) => (columns[field] === field ? field : `${columns[field]} AS "${field}"`))
    .join(', ');
}

/**
 * The names of columns, as an INSERT lists them.
 *
 * @param table - of the schema
 * @param fields - of its model
 * @returns for example `address, derivation_path`
 */
export function namesOf<Model extends object>(
  { columns }: Table<Model>,
  fields: readonly (keyof Model & string)[],
): string {
  return fields.map((field) => columns[field]).join(', ');
}

/**
 * The table with the names of its columns behind its own, for statements that read several tables.
 *
 * @param table - of the schema
 * @param alias - what the statement calls it
 * @returns the table; its column `address` for example as `wallet_key.address`
 */
export function qualified<Model extends object>(table: Table<Model>, alias = table.table): Table<Model> {
  const names = Object.entries<string>(table.columns).map(([field, name]) => [field, `${alias}.${name}`]);
  return { ...table, columns: Object.fromEntries(names) as Table<Model>['columns'] };
}
