import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPoints, type CheckOptions } from './check-points.js';
import { openSource, type SourceLimits } from './open-source.js';
import { HEAD_BYTES } from './points-format.js';
import {
  G1_FILE,
  G2_FILE,
  POINT_BYTES,
  assertPinnedPoints,
  readPinnedG1,
  readPinnedG2,
} from './points-file.js';
import { readPoints } from './read-points.js';

export interface FetchOptions extends Pick<CheckOptions, 'count' | 'onProgress'>, SourceLimits {
  /** `http://…`, `https://…`, or a path: the points of the ceremony in any form. */
  readonly from: string;
  /** Folder that gets the points; it is made when it is not there. */
  readonly folder: string;
}

/**
 * Takes the first points of a file, and checks them before they get the name that `bb` reads: neither the source nor the
 * way from it has to be trusted. Memory does not grow with the file, and no more is read or written than the points take.
 *
 * @param options - which points, and where they go
 * @throws CircuitError; the folder is as it was then
 */
export async function fetchPoints(options: FetchOptions): Promise<void> {
  const { folder, count, onProgress } = options;
  await mkdir(folder, { recursive: true });
  // Below the folder, so that renaming is atomic, and with the name that is checked.
  const temporary = join(folder, `.points-${process.pid}.tmp`);
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { mode: 0o700 });
  try {
    const path = join(temporary, G1_FILE);
    await copyPoints(path, options);
    await assertPinnedPoints(temporary);
    await checkPoints(path, { count, onProgress });
    await writeFile(join(temporary, G2_FILE), await readPinnedG2());
    for (const name of [G2_FILE, G1_FILE]) await rename(join(temporary, name), join(folder, name));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function copyPoints(path: string, options: FetchOptions): Promise<void> {
  const { from, count } = options;
  const pinned = await readPinnedG1();
  const source = openSource(from, HEAD_BYTES + count * POINT_BYTES, options);
  const file = await open(path, 'wx');
  try {
    for await (const points of readPoints(source, { from, count, pinned })) await file.writeFile(points);
    await file.sync();
  } finally {
    await file.close();
  }
}
