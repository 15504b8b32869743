import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listCircuits, loadCircuit, type Circuit, type VerifierKind } from '@tetrad/rollup-circuits';

const FOLDER = fileURLToPath(new URL('../../contracts', import.meta.url));
const GENERATED = join(FOLDER, 'generated');

/** Names in what `bb` writes, which are the same for every circuit. */
const CONTRACT = 'HonkVerifier';
/** The libraries that the standard verifier calls, which are separate contracts. */
const LIBRARIES = ['ZKTranscriptLib', 'RelationsLib'] as const;

/** Contract of a verifier, the file that it is in, and the libraries that are deployed before it. */
export interface VerifierNames {
  readonly contract: string;
  /** As the compiler names it in the references to its libraries. */
  readonly file: string;
  readonly libraries: readonly string[];
}

export function verifierNames(size: number, kind: VerifierKind): VerifierNames {
  if (kind === 'optimized') {
    const contract = `OptimizedBatchVerifier${size}`;
    return { contract, file: `generated/cancun/${contract}.sol`, libraries: [] };
  }
  const contract = `BatchVerifier${size}`;
  return {
    contract,
    file: `generated/${contract}.sol`,
    libraries: LIBRARIES.map((name) => `${name}${size}`),
  };
}

/** Writes the verifiers of each circuit where the build compiles them, unless they are there already. */
export async function generateVerifiers(sizes: readonly number[]): Promise<void> {
  for (const size of sizes) {
    const circuit = await loadCircuit(size);
    for (const kind of ['standard', 'optimized'] as const) {
      const path = join(FOLDER, verifierNames(size, kind).file);
      const source = verifierSource(circuit, kind);
      await mkdir(dirname(path), { recursive: true });
      if ((await readFile(path, 'utf8').catch(() => '')) !== source) await writeFile(path, source);
    }
  }
}

/** Removes the verifiers of circuits that are not there any more: nothing proves what they take. */
export async function removeOutdatedVerifiers(): Promise<void> {
  const circuits = new Set(await listCircuits());
  for (const folder of [GENERATED, join(GENERATED, 'cancun')])
    for (const name of await readdir(folder).catch(() => [])) {
      const size = /^(?:Optimized)?BatchVerifier(\d+)\.sol$/.exec(name)?.[1];
      if (size !== undefined && !circuits.has(Number(size))) await rm(join(folder, name));
    }
}

/** The Solidity of a verifier, with names of its own. */
export function verifierSource(circuit: Circuit, kind: VerifierKind): string {
  const { size, version } = circuit;
  const { contract } = verifierNames(size, kind);
  const rename = (text: string, from: string, to: string) =>
    text.replace(new RegExp(`\\b${from}\\b`, 'g'), to);
  const renamed = LIBRARIES.reduce(
    (text, name) => rename(text, name, `${name}${size}`),
    rename(kind === 'standard' ? circuit.verifier : circuit.optimizedVerifier, CONTRACT, contract),
  );
  return `// Circuit version ${version}, batches of ${size}.\n${renamed}`;
}
