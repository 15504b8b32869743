import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFileError } from '@tetrad/files';
import { OperatorError } from '@tetrad/types';
import { z } from 'zod';

/** A larger file is not a manifest: that has a few lines for each table. */
const MAX_MANIFEST_BYTES = 1_048_576;
const MAX_TABLES = 1_000;
const MAX_NAME = 63;

const MANIFEST = 'manifest.json';
/** In the format of `sha256sum`. */
const CHECKSUM = 'manifest.json.sha256';

const name = z.string().min(1).max(MAX_NAME);
const count = z.int().nonnegative();

const tableSchema = z.strictObject({
  name,
  columns: z.array(name).min(1).max(MAX_TABLES),
  rows: count,
  bytes: count,
  sha256: z.string().length(64),
});

const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** The kind of database that the rows are from. */
  kind: z.enum(['node', 'payloads', 'signer', 'wallet', 'rollup-operator']),
  createdAt: z.iso.datetime(),
  /** Migrations of the database that the rows are from. */
  migrations: z.array(z.string().max(255)).max(MAX_TABLES),
  /** A summary of the rows, for people and for comparison. */
  facts: z.record(name, z.union([z.string().max(200), z.number(), z.null()])),
  tables: z.array(tableSchema).max(MAX_TABLES),
});

export type Manifest = z.output<typeof manifestSchema>;
export type TableEntry = Manifest['tables'][number];

export const tableFile = (table: string) => `${table}.copy`;

/** The files of a manifest, by name. */
export function manifestFiles(manifest: Manifest): readonly (readonly [name: string, text: string])[] {
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  return [
    [MANIFEST, text],
    [CHECKSUM, `${sha256(text)}  ${MANIFEST}\n`],
  ];
}

/** @throws OperatorError when the folder holds no backup of the kind, or the manifest is not as it was written */
export async function readManifest(folder: string, kind: Manifest['kind']): Promise<Manifest> {
  const [text, checksum] = await Promise.all([readBounded(folder, MANIFEST), readBounded(folder, CHECKSUM)]);
  if (!checksum.startsWith(`${sha256(text)} `))
    throw new OperatorError(`${join(folder, MANIFEST)}: does not have the checksum in ${CHECKSUM}`);
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new OperatorError(`${join(folder, MANIFEST)}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  if (parsed.data.kind !== kind)
    throw new OperatorError(`${folder}: is a backup of kind ${parsed.data.kind}, not ${kind}`);
  return parsed.data;
}

async function readBounded(folder: string, file: string): Promise<string> {
  const path = join(folder, file);
  const { size } = await stat(path).catch(async (error: NodeJS.ErrnoException) => {
    throw new OperatorError(await describeAbsence(folder, file, error), { cause: error });
  });
  if (size > MAX_MANIFEST_BYTES) throw new OperatorError(`${path}: is larger than a manifest`);
  const handle = await open(path, 'r');
  try {
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Why a file of a backup cannot be read, in words for the operator. */
async function describeAbsence(folder: string, file: string, error: NodeJS.ErrnoException): Promise<string> {
  if (error.code === 'ENOENT' && (await isFolder(folder)))
    return `${folder}: is an incomplete backup: it has no ${file}`;
  if (error.code === 'ENOENT') return `${folder}: there is no such folder, and so no backup`;
  return describeFileError(error) ?? error.message;
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
