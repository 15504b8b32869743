import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT, appFolder, type Service } from './services.js';

const manifestSchema = z.looseObject({ version: z.string() });

/** `## 1.2.3 - 2026-11-24`, or `## Unreleased`. */
const HEADING = /^## (?:(\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})|Unreleased)$/;

/** The newest version that a changelog describes, and what it says of it. */
export interface Release {
  readonly version: string;
  readonly date: string;
  /** Markdown below the heading, trimmed. */
  readonly notes: string;
}

/**
 * What keeps the service from being released, in words; empty when nothing does.
 * @throws Error when a file is missing
 */
export async function releaseFaults(service: Service): Promise<readonly string[]> {
  const [manifest, changelog, lock] = await Promise.all([
    readFile(join(appFolder(service), 'package.json'), 'utf8'),
    readFile(join(appFolder(service), 'CHANGELOG.md'), 'utf8'),
    readFile(join(ROOT, 'package-lock.json'), 'utf8'),
  ]);
  const { version } = manifestSchema.parse(JSON.parse(manifest));
  const faults = [...changelogFaults(changelog, version), ...lockFaults(lock, service, version)];
  return [...faults, ...(await versionFaults(service, version))].map((fault) => `${service}: ${fault}`);
}

/** A file that names the version of a service, and how. */
interface VersionPlace {
  readonly path: string;
  /** The version as it stands there. */
  readonly named: (version: string) => string;
}

/** The image, the chart, which has a tag for each image, and the document of the methods. */
function versionPlaces(service: Service): readonly VersionPlace[] {
  const document = {
    path: `docs/reference/openrpc/${service}.json`,
    named: (version: string) => `"version": "${version}"`,
  };
  return [
    {
      path: `docker/${service}/Dockerfile`,
      named: (version) => `org.opencontainers.image.version="${version}"`,
    },
    {
      path: 'docker/charts/tetrad/Chart.yaml',
      named: (version) => `\n  tetrad/${service}: ${version}\n`,
    },
    ...(hasMethods(service) ? [document] : []),
  ];
}

/** Whether it serves JSON-RPC methods of its own. */
const hasMethods = (service: Service) => !['transaction-manager', 'console'].includes(service);

/** @throws Error when a file is missing */
async function versionFaults(service: Service, version: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const place of versionPlaces(service))
    faults.push(...namedFaults(place, await readFile(join(ROOT, place.path), 'utf8'), version));
  return faults;
}

/** Faults of a file that names the version. */
export function namedFaults({ path, named }: VersionPlace, text: string, version: string): readonly string[] {
  return text.includes(named(version))
    ? []
    : [`${path} is not of version ${version}, which package.json has`];
}

/** Faults of a changelog as the one of a release of `version`. */
export function changelogFaults(changelog: string, version: string): readonly string[] {
  const headings = changelog.split('\n').filter((line) => line.startsWith('## '));
  const faults = headings
    .filter((line) => !HEADING.test(line))
    .map((line) => `CHANGELOG.md: ${line} is not "## VERSION - YYYY-MM-DD"`);
  const release = newestRelease(changelog);
  const first = headings.find((line) => HEADING.test(line));
  if (release === undefined || first === '## Unreleased')
    return [...faults, 'CHANGELOG.md: no released version comes first'];
  const { version: newest, date, notes } = release;
  if (newest !== version) faults.push(`CHANGELOG.md: ${newest} comes first, and package.json has ${version}`);
  if (Number.isNaN(Date.parse(date))) faults.push(`CHANGELOG.md: ${date} is not a date`);
  if (notes === '') faults.push(`CHANGELOG.md: ${newest} has no notes`);
  return faults;
}

/** @returns undefined when no version is released */
export function newestRelease(changelog: string): Release | undefined {
  const lines = changelog.split('\n');
  const index = lines.findIndex((line) => HEADING.exec(line)?.[1] !== undefined);
  const [, version, date] = HEADING.exec(lines[index] ?? '') ?? [];
  if (version === undefined || date === undefined) return undefined;
  const below = lines.slice(index + 1);
  const next = below.findIndex((line) => line.startsWith('## '));
  const notes = below
    .slice(0, next === -1 ? undefined : next)
    .join('\n')
    .trim();
  return { version, date, notes };
}

/** npm installs what the lock file says, so a version that it does not have was changed by hand. */
function lockFaults(lock: string, service: Service, version: string): readonly string[] {
  const { packages } = z
    .looseObject({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) })
    .parse(JSON.parse(lock));
  const locked = packages[`apps/${service}`]?.version;
  return locked === version
    ? []
    : [`package-lock.json has version ${locked ?? 'none'}, and package.json ${version}`];
}
