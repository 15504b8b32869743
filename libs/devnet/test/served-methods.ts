import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../../../docs/reference/methods.md');
const ROW = /^\| \[`([\w.]+)`\]\([^)]*\) +\| ([\w-]+) +\| served +\|/gm;
const METHOD_NOT_FOUND = -32601;
/** Undoes the previous call: every method of a node is called here, `miner_stop` too. */
const LAST = 'miner_start';

/** The methods that docs/reference/methods.md lists as served by a service. */
function servedBy(service: string): readonly string[] {
  const rows = [...readFileSync(PAGE, 'utf8').matchAll(ROW)];
  const methods = rows.filter(([, , name]) => name === service).map(([, method]) => method as string);
  return [...new Set(methods)].sort((a, b) => Number(a === LAST) - Number(b === LAST));
}

/**
 * Calls every served method of the page, without parameters.
 * @returns those that the service does not know
 */
export async function missingMethods(url: string, service: string): Promise<readonly string[]> {
  const methods = servedBy(service);
  if (methods.length === 0) throw new Error(`docs/reference/methods.md names no method of ${service}`);
  const missing: string[] = [];
  for (const method of methods) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    });
    const { error } = (await response.json()) as { error?: { code: number } };
    if (error?.code === METHOD_NOT_FOUND) missing.push(method);
  }
  return missing;
}
