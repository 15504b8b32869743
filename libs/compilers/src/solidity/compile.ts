import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { z } from 'zod';

/** A contract does not compile; the message is the compiler's. */
export class SolidityError extends Error {
  override readonly name = 'SolidityError';
}

const errorsSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
});

const outputSchema = z.object({
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          abi: z.array(z.looseObject({})),
          evm: z.object({
            bytecode: z.object({ object: z.string() }),
            deployedBytecode: z.object({
              object: z.string(),
              immutableReferences: z.record(z.string(), z.array(z.object({ start: z.int() }))).optional(),
            }),
          }),
        }),
      ),
    )
    .optional(),
  sources: z.record(z.string(), z.object({ ast: z.unknown() })).optional(),
});

interface Compiler {
  compile(input: string): string;
  version(): string;
}

const STAMP = '.sources-hash';

const EVM_VERSIONS = ['byzantium', 'istanbul', 'cancun'] as const;

/** Opcodes that compiled code may use. */
export type EvmVersion = (typeof EVM_VERSIONS)[number];

/** Generated sources that are compiled for Cancun, whatever the manifest says. */
const CANCUN_FOLDER = 'generated/cancun';

const manifestSchema = z.object({
  solidity: z.strictObject({ evmVersion: z.enum(EVM_VERSIONS) }).optional(),
});

/**
 * Compiles the folder's `contracts/*.sol`, and those in `contracts/generated`, into `artifacts/NAME.json` unless they
 * are up to date. `solidity.evmVersion` in the folder's package.json sets the EVM version, the newest when left out; what is
 * in `contracts/generated/cancun` is compiled for Cancun.
 * @returns whether anything was compiled
 * @throws SolidityError
 */
export async function compileFolder(folder: string): Promise<boolean> {
  const sources = await readSources(join(folder, 'contracts'), ['', 'generated']);
  const cancun = await readSources(join(folder, 'contracts'), [CANCUN_FOLDER]);
  const artifacts = join(folder, 'artifacts');
  const evmVersion = await readEvmVersion(folder);
  const hash = createHash('sha256')
    .update(JSON.stringify([settings, evmVersion, sources, cancun]))
    .digest('hex');
  if ((await readFile(join(artifacts, STAMP), 'utf8').catch(() => '')) === hash) return false;
  const compiled = [
    ...compile(sources, evmVersion),
    ...(Object.keys(cancun).length === 0 ? [] : compile(cancun, 'cancun')),
  ];
  // A contract that was removed must not be loaded any more.
  await rm(artifacts, { recursive: true, force: true });
  await mkdir(artifacts, { recursive: true });
  for (const [name, artifact] of compiled) {
    await writeFile(join(artifacts, `${name}.json`), `${JSON.stringify(artifact, null, 2)}\n`);
  }
  await writeFile(join(artifacts, STAMP), hash);
  return true;
}

const settings = {
  optimizer: { enabled: true, runs: 200 },
  outputSelection: {
    '*': {
      '*': [
        'abi',
        'evm.bytecode.object',
        'evm.deployedBytecode.object',
        'evm.deployedBytecode.immutableReferences',
      ],
      // Immutables are known by the numbers of their declarations.
      '': ['ast'],
    },
  },
};

async function readEvmVersion(folder: string): Promise<EvmVersion | undefined> {
  const manifest = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  return manifestSchema.parse(JSON.parse(manifest)).solidity?.evmVersion;
}

async function readSources(
  root: string,
  folders: readonly string[],
): Promise<Record<string, { content: string }>> {
  const names: string[] = [];
  for (const folder of folders) {
    const found = await readdir(join(root, folder)).catch(() => []);
    names.push(...found.filter((name) => name.endsWith('.sol')).map((name) => posix.join(folder, name)));
  }
  const sources = names
    .sort()
    .map(async (name) => [name, { content: await readFile(join(root, name), 'utf8') }] as const);
  return Object.fromEntries(await Promise.all(sources));
}

/**
 * @param sources - file name → source
 * @param evmVersion - opcodes that the code may use, the newest when left out
 * @returns contract name → what is needed to deploy and call it
 * @throws SolidityError
 */
export function compile(
  sources: Readonly<Record<string, { readonly content: string }>>,
  evmVersion?: EvmVersion,
): Map<string, Artifact> {
  // Nine megabytes of WebAssembly that a build without changes does not load.
  const compiler = createRequire(import.meta.url)('solc') as Compiler;
  const answer: unknown = JSON.parse(
    compiler.compile(
      JSON.stringify({ language: 'Solidity', sources, settings: { ...settings, evmVersion } }),
    ),
  );
  // Where code generation failed the contracts are there, but without their code.
  const errors = (errorsSchema.parse(answer).errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw new SolidityError(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const output = outputSchema.parse(answer);
  const declared = declaredNames(Object.values(output.sources ?? {}).map(({ ast }) => ast));
  const contracts = Object.values(output.contracts ?? {}).flatMap((file) => Object.entries(file));
  return new Map(
    contracts.map(([name, { abi, evm }]) => {
      const { object, immutableReferences = {} } = evm.deployedBytecode;
      const immutables = placesByName(immutableReferences, declared);
      const code = { bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${object}` } as const;
      return [name, { abi, ...code, immutables }];
    }),
  );
}

type Places = Readonly<Record<string, readonly { readonly start: number }[]>>;

/** @throws SolidityError for two immutables of one name, which could not be told apart */
function placesByName(places: Places, names: ReadonlyMap<string, string>): Record<string, number[]> {
  const named: Record<string, number[]> = {};
  for (const [id, found] of Object.entries(places)) {
    const name = names.get(id) ?? id;
    if (name in named) throw new SolidityError(`two immutables have the name ${name}`);
    named[name] = found.map(({ start }) => start).sort((a, b) => a - b);
  }
  return named;
}

/** Names of the variables that the sources declare, by the numbers that the compiler gave them. */
function declaredNames(trees: readonly unknown[]): Map<string, string> {
  const names = new Map<string, string>();
  const waiting = [...trees];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    const { nodeType, id, name } = node as Readonly<Record<string, unknown>>;
    if (nodeType === 'VariableDeclaration') names.set(String(id), String(name));
    waiting.push(...(Object.values(node) as unknown[]));
  }
  return names;
}

/** The artifact of a contract. */
export interface Artifact {
  readonly abi: readonly Readonly<Record<string, unknown>>[];
  /** Of its creation, before the arguments of the constructor. */
  readonly bytecode: `0x${string}`;
  /** What it leaves on the chain, with zeros in place of its immutables. */
  readonly deployedBytecode: `0x${string}`;
  /** Where each immutable is in it: 32 bytes from each place. */
  readonly immutables: Readonly<Record<string, readonly number[]>>;
}

/**
 * Reads the artifact of a contract in the folder.
 * @throws SolidityError when it is missing
 */
export async function loadArtifact(folder: string, name: string): Promise<Artifact> {
  const path = join(folder, 'artifacts', `${name}.json`);
  if (!existsSync(path)) throw new SolidityError(`${path} is missing; run the build`);
  return JSON.parse(await readFile(path, 'utf8')) as Artifact;
}
