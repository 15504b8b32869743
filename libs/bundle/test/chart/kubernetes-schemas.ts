import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../src/services.js';
import type { Manifest } from './manifest.js';

const run = promisify(execFile);
const COMPILER = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
const SETTINGS = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
  },
};

/** Kinds that operators of clusters add, which are not Kubernetes' own. */
const ADDED = ['keda.sh/v1alpha1', 'monitoring.coreos.com/v1'];

export function isAdded({ apiVersion }: Manifest): boolean {
  return ADDED.includes(apiVersion);
}

type Model = new (manifest: unknown) => { validate(): void };

/** What Kubernetes' schemas say against manifests: types, required keys, ranges. */
export async function schemaErrors(manifests: readonly Manifest[]): Promise<string[]> {
  const errors: string[] = [];
  // One after the other: Jest does not load a module twice at the same time.
  for (const manifest of manifests) errors.push(...(await errorsOf(manifest)));
  return errors;
}

async function errorsOf(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind, metadata } = manifest;
  const models = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Readonly<Record<string, Model>>;
  const model = models[kind];
  if (model === undefined) return [`${kind} of ${apiVersion} is unknown`];
  try {
    new model(manifest).validate();
    return [];
  } catch (error) {
    return [`${kind} ${metadata.name}: ${(error as Error).message}`];
  }
}

/** Keys that Kubernetes does not know. Its schemas let them pass; the types of the same package do not, in a literal. */
export async function unknownKeys(manifests: readonly Manifest[]): Promise<string> {
  await mkdir(join(ROOT, '.tetrad'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, '.tetrad', 'manifests-'));
  try {
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    await writeFile(join(folder, 'manifests.ts'), manifests.map(asLiteral).join('\n'));
    await run(process.execPath, [COMPILER, '-p', folder]);
    return '';
  } catch (error) {
    const { stdout = '', message } = error as Error & { stdout?: string };
    return stdout || message;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function asLiteral(manifest: Manifest, index: number): string {
  const { apiVersion, kind } = manifest;
  const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`;
  return `export const manifest${index}: ${type} = ${JSON.stringify(manifest, undefined, 1)};`;
}
