import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CircuitError } from '../circuit-cache.js';
import { pointsFolderOf } from './bb-folder.js';
import { G1_FILE, POINT_BYTES, assertPinnedPoints, pointsFor } from './points-file.js';

/**
 * That batches of all sizes can be proved with the points of a folder, by default of the one that `bb` is started with. Otherwise
 * the first proof would show it: `bb` looks for further points on the internet, and fails without.
 * @throws CircuitError with what to do; as `assertPinnedPoints`
 */
export async function assertEnoughPoints(
  sizes: readonly number[],
  pointsFolder: string | undefined,
): Promise<void> {
  const folder = pointsFolderOf(pointsFolder);
  await assertPinnedPoints(folder);
  const path = join(folder, G1_FILE);
  const there = Math.floor((await stat(path)).size / POINT_BYTES);
  const size = Math.max(...sizes);
  const needed = pointsFor(size);
  if (there >= needed) return;
  const command = `rollup-operator fetch-points --size ${size} --from URL|FILE --points-dir ${pointsFolder ?? 'DIR'}`;
  throw new CircuitError(
    `batches of ${size} need ${needed} proving points, and ${path} has ${there}; fetch them with: ${command}`,
  );
}
