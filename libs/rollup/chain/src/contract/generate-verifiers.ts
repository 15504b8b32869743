import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCircuit, type Circuit } from '@tetrad/rollup-circuits';

const FOLDER = fileURLToPath(new URL('../../contracts/generated', import.meta.url));

/** Names in what `bb` writes, which are the same for every circuit. */
const CONTRACT = 'HonkVerifier';
/** The libraries that it calls, which are separate contracts. */
const LIBRARIES = ['ZKTranscriptLib', 'RelationsLib'] as const;

export const verifierName = (size: number) => `BatchVerifier${size}`;
export const libraryNames = (size: number) => LIBRARIES.map((name) => `${name}${size}`);
/** The file of a verifier, as the compiler names it in the references to its libraries. */
export const verifierFile = (size: number) => `generated/${verifierName(size)}.sol`;

/** Writes the verifier of each circuit where the build compiles it, unless it is there already. */
export async function generateVerifiers(sizes: readonly number[]): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const size of sizes) {
    const path = join(FOLDER, `${verifierName(size)}.sol`);
    const source = verifierSource(await loadCircuit(size));
    if ((await readFile(path, 'utf8').catch(() => '')) !== source) await writeFile(path, source);
  }
}

function verifierSource({ size, version, verifier }: Circuit): string {
  const rename = (text: string, from: string, to: string) =>
    text.replace(new RegExp(`\\b${from}\\b`, 'g'), to);
  const renamed = LIBRARIES.reduce(
    (text, name) => rename(text, name, `${name}${size}`),
    rename(verifier, CONTRACT, verifierName(size)),
  );
  return `// Circuit version ${version}, batches of ${size}.\n${renamed}`;
}
