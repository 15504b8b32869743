import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenRpcDocument } from '@tetrad/rpc';
import { format } from 'prettier';
import { contractsPage } from './contracts-page.js';
import { clientMethods } from './client-methods.js';
import { decisionList } from './decision-list.js';
import { errorsPage } from './errors-page.js';
import { withSharedSchemas } from './hoist-definitions.js';
import { methodPage, methodPagePath } from './method-pages.js';
import { metricsPage } from './metrics-page.js';
import { methodsPage } from './methods-page.js';
import { optionPages } from './option-pages.js';
import type { Service } from './services.js';

/** A file whose whole content is derived from the definitions and from the repository. */
export interface GeneratedFile {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly content: string;
}

/** Every generated file. */
export async function generatedFiles(root: string, services: readonly Service[]): Promise<GeneratedFile[]> {
  const documents = services.map(async (service): Promise<GeneratedFile> => ({
    path: `docs/reference/openrpc/${service.name}.json`,
    content: await json(openRpc(service, readVersion(root, service.name))),
  }));
  const pages = [
    ['docs/reference/methods.md', methodsPage(root, services)],
    ...services.map((service) => [`docs/reference/${methodPagePath(service)}`, methodPage(service)] as const),
    ...(await optionPages(root)),
    ['docs/reference/errors.md', errorsPage(root, services)],
    ['docs/reference/metrics.md', metricsPage(root)],
    ['docs/reference/rollup-contracts.md', contractsPage(root)],
    ['docs/adr/README.md', decisionList(join(root, 'docs/adr'))],
  ] as const;
  const files = pages.map(async ([path, text]) => ({ path, content: await markdown(text) }));
  const types = { path: 'libs/client/src/wire/methods.ts', content: await typescript(clientMethods()) };
  return Promise.all([...documents, ...files, types]);
}

function openRpc({ title, name, methods, standardMethods }: Service, version: string): unknown {
  const description = `JSON-RPC methods of the ${name}, generated from the definitions in libs/api/${name}.`;
  const document = createOpenRpcDocument({ title, version, description }, { ...methods, ...standardMethods });
  return withSharedSchemas(document as unknown as Parameters<typeof withSharedSchemas>[0]);
}

/** Each service has releases of its own. */
function readVersion(root: string, service: Service['name']): string {
  const manifest = readFileSync(join(root, 'apps', service, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return version;
}

/** JSON and Markdown are written in the repository's format, so that prettier leaves them unchanged. */
function json(value: unknown): Promise<string> {
  return format(JSON.stringify(value), { parser: 'json', printWidth: 110 });
}

function typescript(text: string): Promise<string> {
  return format(text, { parser: 'typescript', printWidth: 110, singleQuote: true });
}

function markdown(text: string): Promise<string> {
  return format(text, { parser: 'markdown', printWidth: 110 });
}
