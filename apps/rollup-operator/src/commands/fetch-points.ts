import { makeFolder } from '@tetrad/files';
import { fetchPoints, pointsFor } from '@tetrad/rollup-circuits';
import { defineOptions, integerOption, option, pathOption, textOption, type ConfigOf } from '@tetrad/service';

const POINTS = 'Points';

export const fetchPointsOptions = defineOptions({
  size: option(integerOption({ min: 1, max: 4096 }), {
    group: POINTS,
    description: 'Operations of the largest batches that are to be proved.',
    required: true,
  }),
  from: option(textOption('URL|FILE'), {
    group: POINTS,
    description:
      'Points of the Aztec Ignition ceremony: a file of the bb prover (bn254_g1.dat, bn254_g1_compressed.dat), a transcript of the ceremony, or what gnark or arkworks made of it. More of them than are needed do no harm.',
    required: true,
  }),
  pointsDir: option(pathOption('DIR'), {
    group: POINTS,
    description: 'Folder that gets the points, for --points-dir of the operator and of build-sizes.',
    required: true,
  }),
});

type FetchPointsConfig = ConfigOf<typeof fetchPointsOptions>;

/** @throws CircuitError, and the folder is as it was before then */
export async function fetchPointsCommand({
  size,
  from,
  pointsDir,
}: FetchPointsConfig): Promise<{ readonly pointsDir: string; readonly points: number }> {
  const points = pointsFor(size);
  const onProgress = (checked: number) =>
    void process.stderr.write(`checked ${checked} of ${points} points\n`);
  await makeFolder(pointsDir);
  await fetchPoints({ from, folder: pointsDir, count: points, onProgress });
  return { pointsDir, points };
}
