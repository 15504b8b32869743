import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '@tetrad/files';
import {
  CircuitError,
  assertEnoughPoints,
  buildCircuit,
  fetchPoints,
  loadCircuit,
  pointsFor,
  pointsFolderOf,
  rollupFolder,
  type Circuit,
} from '@tetrad/rollup-circuits';
import { loadKnownContracts } from '@tetrad/rollup-chain';
import {
  booleanOption,
  defineOptions,
  integerOption,
  listOption,
  option,
  pathOption,
  textOption,
  type ConfigOf,
} from '@tetrad/service';
import { OperatorError } from '@tetrad/types';

const BUILD = 'Build';

export const buildSizesOptions = defineOptions({
  sizes: option(listOption(integerOption({ min: 1, max: 4_096 })), {
    group: BUILD,
    description:
      'Sizes of batches to build circuits, keys and verifiers for, beside those that every build has.',
    required: true,
  }),
  pointsDir: option(pathOption('DIR'), {
    group: BUILD,
    description:
      'Folder of the proving points, for --points-dir of the operator as well. Default: the points that ship, which are enough for two operations.',
  }),
  from: option(textOption('URL|FILE'), {
    group: BUILD,
    description:
      'Points of the ceremony in any form, as fetch-points takes them, where --points-dir has too few. They are checked.',
  }),
  list: option(booleanOption(), {
    group: BUILD,
    description:
      'Adds the verifiers to the contracts that account holders pay into (known-contracts.json): for who makes a release. Needs the packages of the tests.',
    default: false,
  }),
});

type BuildSizesConfig = ConfigOf<typeof buildSizesOptions>;

/** A size that is there now. */
interface BuiltSize {
  readonly size: number;
  readonly gates: number;
  readonly points: number;
  /** Hash of what the circuit follows from. */
  readonly circuit: string;
  /** SHA-256, as in known-contracts.json. */
  readonly verificationKey: string;
  /** Whether account holders with this checkout pay into contracts with this verifier. */
  readonly isKnown: boolean;
}

/** Programs that a checkout has once it was built, by their paths from its root. */
const PROGRAMS = {
  verifiers: 'libs/rollup/chain/dist/contract/main.js',
  contracts: 'libs/compilers/dist/solidity/main.js',
  list: 'libs/rollup/chain/dist/testing/write-known-contracts.js',
} as const;
/** Of the tests: runs the constructor of a verifier, to see what code it leaves. */
const LISTING_PACKAGE = 'node_modules/@ethereumjs/evm';

/**
 * Builds all that batches of some sizes need: circuits and keys, which provers and verifiers of proofs load, and contracts, which `deploy` does. What
 * is there already stays.
 *
 * @param config - which sizes, and with which points
 * @returns what is there then
 * @throws OperatorError naming what is missing; CircuitError for points that are not of the ceremony
 */
export async function buildSizes({ sizes, pointsDir, from, list }: BuildSizesConfig): Promise<{
  readonly pointsDir: string;
  readonly sizes: readonly BuiltSize[];
}> {
  const root = dirname(dirname(dirname(rollupFolder('circuits'))));
  assertCheckout(root, list);
  const isFetched = await getPoints(sizes, { pointsDir, from });
  const folder = pointsFolderOf(pointsDir);
  await buildCircuits(sizes, folder, isFetched);
  const words = sizes.map(String);
  for (const [program, argv] of [
    [PROGRAMS.verifiers, words],
    [PROGRAMS.contracts, []],
    ...(list ? [[PROGRAMS.list, words] as const] : []),
  ] as const)
    await runProgram(root, [program, ...argv]);
  const built: BuiltSize[] = [];
  for (const size of sizes) built.push(await describeSize(await loadCircuit(size)));
  return { pointsDir: folder, sizes: built };
}

/**
 * Archives and images have what was built, and none of what builds it.
 *
 * @param root - of the installation
 * @param isListed - whether the list of known contracts is to be written
 * @throws OperatorError naming what is missing
 */
export function assertCheckout(root: string, isListed: boolean): void {
  const { list, ...builders } = PROGRAMS;
  const missing = [...Object.values(builders), ...(isListed ? [list] : [])].find(
    (path) => !existsSync(join(root, path)),
  );
  if (missing !== undefined)
    throw new OperatorError(
      `${root} has no ${missing}: sizes are built in a checkout of the repository that was built, not in an archive or image`,
    );
  if (isListed && !existsSync(join(root, LISTING_PACKAGE)))
    throw new OperatorError('--list needs the packages of the tests: run ./tetrad build test first');
}

/** @returns whether they were fetched, and checked with it */
async function getPoints(
  sizes: readonly number[],
  { pointsDir, from }: Pick<BuildSizesConfig, 'pointsDir' | 'from'>,
): Promise<boolean> {
  try {
    await assertEnoughPoints(sizes, pointsDir);
    return false;
  } catch (error) {
    if (!(error instanceof CircuitError)) throw error;
    if (from === undefined)
      throw new OperatorError(
        `${error.message}, or say here where they are: --from URL|FILE --points-dir DIR`,
        {
          cause: error,
        },
      );
    if (pointsDir === undefined)
      throw new OperatorError('--from needs --points-dir, the folder that gets the points', { cause: error });
  }
  const count = pointsFor(Math.max(...sizes));
  await makeFolder(pointsDir);
  const onProgress = (checked: number) =>
    void process.stderr.write(`checked ${checked} of ${count} points\n`);
  await fetchPoints({ from, folder: pointsDir, count, onProgress });
  return true;
}

async function buildCircuits(
  sizes: readonly number[],
  pointsFolder: string,
  areFetched: boolean,
): Promise<void> {
  let arePointsChecked = areFetched;
  // The largest first: the points of the others are among its own.
  for (const size of [...sizes].sort((one, other) => other - one)) {
    const onProgress = (checked: number) =>
      void process.stderr.write(`checked ${checked} of ${pointsFor(size)} points\n`);
    // Contracts of earlier versions are served with the circuit that they have.
    for (const [hasConsents, name] of [[true, 'batch'] as const, [false, 'earlier-batch'] as const]) {
      const options = { hasConsents, pointsFolder, arePointsChecked, onProgress };
      if (!(await buildCircuit(size, options))) continue;
      arePointsChecked = true;
      process.stderr.write(`compiled rollup/circuits/${name} for ${size} operations\n`);
    }
  }
}

/** What it says goes to standard error: standard output has the result. */
async function runProgram(root: string, argv: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [...argv], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  const end = await new Promise<string | number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  if (end !== 0) throw new OperatorError(`${argv.join(' ')} ended with ${end}; what it said is above`);
}

async function describeSize({ size, gates, version, verificationKey }: Circuit): Promise<BuiltSize> {
  const key = `0x${createHash('sha256').update(verificationKey).digest('hex')}`;
  const { verifiers } = await loadKnownContracts();
  return {
    size,
    gates,
    points: pointsFor(size),
    circuit: version,
    verificationKey: key,
    isKnown: verifiers.some((known) => known.size === size && known.verificationKey === key),
  };
}
