import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { OperatorError } from '@tetrad/types';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file of the page, held in memory. */
export interface PageFile {
  readonly type: string;
  readonly plain: Uint8Array;
  readonly brotli: Uint8Array;
  readonly etag: string;
  /** Whether its name changes with its content. */
  readonly isImmutable: boolean;
}

export interface PageFiles {
  /** By path from the root, such as `/assets/main-ABC.js`. */
  readonly byPath: ReadonlyMap<string, PageFile>;
  /** Answers every view, whose path only the page reads. */
  readonly index: PageFile;
}

/**
 * Reads the page that libs/bundle wrote.
 * @throws OperatorError when it is missing
 */
export async function readPageFiles(folder: string): Promise<PageFiles> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const byPath = new Map<string, PageFile>();
  for (const name of names.filter((one) => TYPES[extname(one)] !== undefined))
    byPath.set(`/${name}`, await readPageFile(join(folder, name), name.startsWith('assets/')));
  const index = byPath.get('/index.html');
  if (index === undefined)
    throw new OperatorError(`${folder} has no page: run node libs/bundle/dist/main.js page`);
  return { byPath, index };
}

async function readPageFile(path: string, isImmutable: boolean): Promise<PageFile> {
  const plain = await readFile(path);
  return {
    type: TYPES[extname(path)] ?? '',
    plain,
    isImmutable,
    brotli: await readFile(`${path}.br`),
    etag: `"${createHash('sha256').update(plain).digest('hex').slice(0, 32)}"`,
  };
}
