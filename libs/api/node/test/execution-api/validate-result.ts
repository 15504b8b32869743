import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

interface Shapes {
  readonly $id: string;
  readonly results: Readonly<Record<string, object>>;
  readonly notifications: Readonly<Record<string, object>>;
}

const shapes = JSON.parse(
  readFileSync(join(import.meta.dirname, 'execution-api-shapes.json'), 'utf8'),
) as Shapes;

// `results` and `notifications` are containers of schemas, not keywords of one.
const ajv = new Ajv2020({ allErrors: false, strict: true, strictTypes: false, strictRequired: false });
ajv.addVocabulary(['results', 'notifications']);
ajv.addSchema(shapes);

/** Methods whose results have a shape. */
export const executionApiMethods: readonly string[] = Object.keys(shapes.results);

/**
 * Asserts that the result of a method, as it stood in the answer on the wire, has the shape of the public Ethereum
 * execution API.
 * @throws Error that names the place and the rule, or that the method has no shape
 */
export function validateExecutionApiResult(method: string, result: unknown): void {
  validate('results', method, result);
}

/** As `validateExecutionApiResult`, for what a subscription of the kind sends. */
export function validateExecutionApiNotification(kind: string, result: unknown): void {
  validate('notifications', kind, result);
}

function validate(group: 'results' | 'notifications', name: string, value: unknown): void {
  if (!(name in shapes[group]))
    throw new Error(`${name} has no shape among the ${group} of the execution API`);
  const check = ajv.getSchema(`${shapes.$id}#/${group}/${name}`) as ValidateFunction;
  if (check(value)) return;
  throw new Error(
    `${name}: ${(check.errors ?? []).map(describe).join('; ')} in ${JSON.stringify(value)?.slice(0, 2000)}`,
  );
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath === '' ? 'the result' : instancePath} ${message ?? ''} ${JSON.stringify(params)}`;
}
