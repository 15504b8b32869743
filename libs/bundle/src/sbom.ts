import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const typed = z.looseObject({ type: z.string() });

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), typed]).optional(),
  /** Old packages list those that may be chosen from. */
  licenses: z.array(typed).min(1).optional(),
});

type Manifest = z.infer<typeof manifestSchema>;

interface Component {
  readonly type: 'application' | 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly [{ readonly expression: string }];
}

/** The parts of CycloneDX 1.5 that describe an image: what it is, and the packages it holds. */
export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.5';
  readonly version: 1;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

/**
 * The software bill of materials of an image. The same packages give the same document: it has no time and no serial number.
 * @param service - manifest of the service
 * @param packages - folders of the packages that the image holds
 * @returns components by name and version, each once
 * @throws Error of the file system, or ZodError for a package without a name or a version
 */
export async function sbomOf(
  service: { readonly name: string; readonly version: string },
  packages: readonly string[],
): Promise<Sbom> {
  const manifests = await Promise.all(packages.map(readManifest));
  const components = new Map(
    manifests.map((manifest) => [refOf(manifest), componentOf(manifest, 'library')]),
  );
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: componentOf({ ...service, license: 'Apache-2.0' }, 'application') },
    components: [...components.keys()].sort().flatMap((ref) => components.get(ref) ?? []),
  };
}

async function readManifest(folder: string): Promise<Manifest> {
  return manifestSchema.parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
}

function componentOf(manifest: Manifest, type: Component['type']): Component {
  const { name, version } = manifest;
  const expression = licenseOf(manifest);
  return {
    type,
    'bom-ref': refOf(manifest),
    name,
    version,
    purl: refOf(manifest),
    ...(expression !== undefined && { licenses: [{ expression }] }),
  };
}

function licenseOf({ license, licenses }: Manifest): string | undefined {
  if (typeof license === 'string') return license;
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ');
}

/** Package URL: `pkg:npm/NAME@VERSION`, with the @ of a scope escaped. */
function refOf({ name, version }: Pick<Manifest, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
}
