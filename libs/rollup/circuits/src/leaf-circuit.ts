import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  ARTIFACTS,
  CircuitError,
  LEAVES_SOURCES,
  SOURCES,
  circuitVersion,
  writeArtifact,
} from './circuit-cache.js';
import { compileSources, sourceTexts, toolVersions } from './noir-compiler.js';
import { PROVER_SETTINGS, openProverLibrary } from './prover-library.js';

/** The circuit that opens leaves, with its key. Another version has another key, which takes no proof of this one. */
export interface LeafCircuit {
  readonly version: string;
  readonly bytecode: string;
  readonly abi: unknown;
  readonly verificationKey: Uint8Array;
  readonly gates: number;
}

const PATH = join(ARTIFACTS, 'leaves.json');
/** Both circuits hash alike: the file is there once. */
const SHARED_SOURCE = 'poseidon2.nr';

const storedSchema = z.object({
  version: z.string(),
  bytecode: z.string(),
  abi: z.unknown(),
  verificationKey: z.string(),
  gates: z.int(),
});

/**
 * Makes the circuit unless it is there already.
 *
 * @returns whether it was made
 * @throws CircuitError with the compiler's words when a source does not compile
 */
export async function buildLeafCircuit(): Promise<boolean> {
  const version = await currentVersion();
  if ((await readLeafCircuit())?.version === version) return false;
  const { bytecode, abi } = await compileSources(async (folder) => {
    await cp(LEAVES_SOURCES, folder, { recursive: true });
    await cp(join(SOURCES, 'src', SHARED_SOURCE), join(folder, 'src', SHARED_SOURCE));
  });
  const library = await openProverLibrary();
  try {
    const verificationKey = Buffer.from(await library.verificationKey(bytecode)).toString('base64');
    const gates = await library.gates(bytecode);
    await writeArtifact(PATH, JSON.stringify({ version, bytecode, abi, verificationKey, gates }));
  } finally {
    await library.close();
  }
  return true;
}

/**
 * The circuit that the build made.
 *
 * @returns it with its key
 * @throws CircuitError before the build has made it
 */
export async function loadLeafCircuit(): Promise<LeafCircuit> {
  const circuit = await readLeafCircuit();
  if (circuit === undefined) throw new CircuitError('no circuit for leaves; run the build');
  return circuit;
}

async function readLeafCircuit(): Promise<LeafCircuit | undefined> {
  const text = await readFile(PATH, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { data: stored } = storedSchema.safeParse(JSON.parse(text));
  if (stored === undefined) return undefined;
  return { ...stored, verificationKey: Buffer.from(stored.verificationKey, 'base64') };
}

async function currentVersion(): Promise<string> {
  const shared = await readFile(join(SOURCES, 'src', SHARED_SOURCE), 'utf8');
  const sources = await sourceTexts(join(LEAVES_SOURCES, 'src'));
  return circuitVersion([...(await toolVersions()), JSON.stringify(PROVER_SETTINGS), shared, ...sources]);
}
