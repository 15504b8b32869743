import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@tetrad/devnet';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** What is read of an OpenRPC document of docs/reference/openrpc. */
interface Document {
  readonly methods: readonly MethodEntry[];
  readonly components?: object;
}

interface MethodEntry {
  readonly name: string;
  readonly result: { readonly schema: object };
  readonly 'x-refusals': readonly { readonly reason: string; readonly code: number }[];
  readonly examples: readonly {
    readonly name: string;
    readonly params: readonly { readonly value: unknown }[];
  }[];
}

interface Answer {
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly reason?: string };
  };
}

/** A revert is an answer of the EVM, not of a rule. */
const REVERTED = 3;
/** Undoes what another example did to the node. */
const LAST = 'miner_start';

/**
 * Sends every example of a service's document to it. The accounts, blocks and contracts of the examples do not exist there, so most
 * are rejected: with a reason that the document names.
 * @returns what was answered otherwise
 */
export async function exampleFaults(url: string, service: string): Promise<readonly string[]> {
  const path = join(ROOT, `docs/reference/openrpc/${service}.json`);
  const document = JSON.parse(await readFile(path, 'utf8')) as Document;
  const faults: string[] = [];
  const methods = [...document.methods].sort((a, b) => Number(a.name === LAST) - Number(b.name === LAST));
  for (const method of methods)
    for (const example of method.examples) {
      const params = example.params.map(({ value }) => value);
      const fault = faultIn(await call(url, method.name, params), method, document);
      if (fault !== undefined) faults.push(`${method.name}, ${example.name}: ${fault}`);
    }
  return faults;
}

async function call(url: string, method: string, params: readonly unknown[]): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as Answer;
}

function faultIn(
  { error, result }: Answer,
  method: MethodEntry,
  { components }: Document,
): string | undefined {
  if (error !== undefined) {
    const isNamed = method['x-refusals'].some(({ reason }) => reason === error.data?.reason);
    return isNamed || error.code === REVERTED ? undefined : JSON.stringify(error);
  }
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile({ ...method.result.schema, components });
  return validate(result)
    ? undefined
    : `${ajv.errorsText(validate.errors)}: ${JSON.stringify(result).slice(0, 200)}`;
}
