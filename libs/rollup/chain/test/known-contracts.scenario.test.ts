import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compile, type Artifact } from '@tetrad/compilers';
import {
  BUILT_SIZES,
  assertEnoughPoints,
  circuitVersionOf,
  compileCircuit,
  openProverLibrary,
  type Circuit,
} from '@tetrad/rollup-circuits';
import { bytesFromHex, type Hex } from '@tetrad/types';
import { verifierNames, verifierSource } from '../src/contract/generate-verifiers.js';
import { loadKnownContracts, type KnownContracts, type KnownRollup } from '../src/known/known-contracts.js';
import {
  TURNS_ARGUMENTS,
  recordEarlier,
  recordRollup,
  recordVerifier,
  type CompiledContract,
} from '../src/testing/record-contracts.js';
import { recordedCode } from './recorded-code.js';

const CONTRACTS = join(import.meta.dirname, '../contracts');
const MINUTE = 60_000;
/** Opcodes by which code is not what it was, or acts on more than its arguments. */
const SELFDESTRUCT = 0xff;
const CALLCODE = 0xf2;
const DELEGATECALL = 0xf4;
const SLOAD = 0x54;
const TLOAD = 0x5c;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
/** Behind the codes of earlier rollups. */
const CONSTANT_BYTES = 32;

/**
 * Nothing that the build made is used: circuits are compiled from Noir, keys made of them, verifiers written from the keys, and
 * all contracts compiled.
 */
describe('the codes of the release', () => {
  let known: KnownContracts;
  const circuits = new Map<number, Circuit>();
  const contracts = new Map<string, Artifact>();
  const compiled = (name: string) => Promise.resolve(contracts.get(name) as Artifact);

  beforeAll(async () => {
    known = await loadKnownContracts();
    for (const size of await checkedSizes()) circuits.set(size, await makeCircuit(size));
    const sources: Record<string, { content: string }> = {};
    for (const name of (await readdir(CONTRACTS)).filter((file) => file.endsWith('.sol')))
      sources[name] = { content: await readFile(join(CONTRACTS, name), 'utf8') };
    const verifiers = (kind: 'standard' | 'optimized') =>
      Object.fromEntries(
        [...circuits.values()].map((circuit) => [
          verifierNames(circuit.size, kind).file,
          { content: verifierSource(circuit, kind) },
        ]),
      );
    const all = [
      ...compile({ ...sources, ...verifiers('standard') }, 'istanbul'),
      ...compile(verifiers('optimized'), 'cancun'),
    ];
    for (const [name, artifact] of all) contracts.set(name, artifact);
  }, 5 * MINUTE);

  /** Sizes of the list that the points of CRS_PATH are enough for; those of the repository are for the sizes of every build. */
  async function checkedSizes(): Promise<number[]> {
    const sizes = new Set<number>(BUILT_SIZES);
    for (const { size } of known.verifiers)
      if (
        await assertEnoughPoints([size], undefined).then(
          () => true,
          () => false,
        )
      )
        sizes.add(size);
    return [...sizes];
  }

  /** Everything is made anew. */
  async function makeCircuit(size: number, hasConsents = true): Promise<Circuit> {
    const library = await openProverLibrary();
    try {
      const circuit = await compileCircuit(size, hasConsents);
      const verificationKey = await library.verificationKey(circuit.bytecode);
      const [version, gates] = [
        await circuitVersionOf(size, hasConsents),
        await library.gates(circuit.bytecode),
      ];
      return {
        ...circuit,
        version,
        gates,
        verificationKey,
        verifier: await library.solidityVerifier(verificationKey, 'standard'),
        optimizedVerifier: await library.solidityVerifier(verificationKey, 'optimized'),
      };
    } finally {
      await library.close();
    }
  }

  it('are what the sources are compiled to', async () => {
    expect(known.rollups[0]).toEqual(await recordRollup(compiled));
  });

  it('have the verification keys of the circuits', async () => {
    for (const circuit of circuits.values())
      for (const kind of ['standard', 'optimized'] as const)
        expect(known.verifiers).toContainEqual(await recordVerifier(compiled, circuit, kind));
    for (const { size, kind, circuit, hasConsents } of known.verifiers) {
      expect([size, circuit]).toEqual([size, await circuitVersionOf(size, hasConsents)]);
      const same = known.verifiers.filter((each) => each.size === size && each.kind === kind);
      expect(same.filter((each) => each.hasConsents === hasConsents)).toHaveLength(1);
    }
  });

  it('are, of the version with turns, those of what was recorded', async () => {
    const earlier = known.rollups.find(({ version }) => version === 'with turns') as KnownRollup;
    const contract = await recordedContract('rollup-with-turns', earlier.code);
    expect(earlier).toEqual(recordEarlier('with turns', TURNS_ARGUMENTS, contract));
  });

  it('are, of the version without consents, those of what was recorded', async () => {
    const earlier = known.rollups.find(({ version }) => version === 'without consents') as KnownRollup;
    const proofs = earlier.libraries['StateProofs'] as KnownRollup['code'];
    const recorded = await recordRollup((name) =>
      name === 'Rollup'
        ? recordedContract('rollup-without-consents', earlier.code)
        : recordedContract('state-proofs-without-consents', proofs, 0),
    );
    expect(earlier).toEqual({ ...recorded, version: 'without consents', hasConsents: false });
  });

  it('have the verification keys of the circuit of contracts without consents', async () => {
    for (const size of BUILT_SIZES) {
      const { verificationKey, version } = await makeCircuit(size, false);
      const hash = `0x${createHash('sha256').update(verificationKey).digest('hex')}`;
      const found = known.verifiers.filter((each) => each.size === size && !each.hasConsents);
      expect(found.map(({ kind }) => kind).sort()).toEqual(['optimized', 'standard']);
      for (const each of found) expect([each.circuit, each.verificationKey]).toEqual([version, hash]);
    }
  });

  it('cannot destroy themselves, and verifiers read no state', async () => {
    for (const name of ['Rollup', 'StateProofs', ...verifierContracts()]) {
      const opcodes = opcodesOf(contracts.get(name)?.deployedBytecode ?? '');
      expect([name, opcodes.size > 50]).toEqual([name, true]);
      const forbidden = [SELFDESTRUCT, CALLCODE, ...(name === 'Rollup' ? [] : [SLOAD, TLOAD])];
      const isLinked = contracts.get(name)?.bytecode.includes('__$');
      if (isLinked !== true) forbidden.push(DELEGATECALL);
      expect([name, forbidden.filter((opcode) => opcodes.has(opcode))]).toEqual([name, []]);
    }
  });

  function verifierContracts(): string[] {
    const kinds = ['standard', 'optimized'] as const;
    return [...circuits.keys()].flatMap((size) =>
      kinds.flatMap((kind) => {
        const { contract, libraries } = verifierNames(size, kind);
        return [contract, ...libraries];
      }),
    );
  }
});

/**
 * A contract of which the creation was recorded. What it leaves on the chain is the end of that, but for a constant behind it that the
 * constructor of a rollup reads.
 */
async function recordedContract(
  name: string,
  { bytes, words }: KnownRollup['code'],
  constantBytes = CONSTANT_BYTES,
): Promise<CompiledContract> {
  const bytecode = await recordedCode(name);
  const end = bytecode.length - 2 * constantBytes;
  return { bytecode, deployedBytecode: `0x${bytecode.slice(end - 2 * bytes, end)}`, immutables: words };
}

/** All opcodes of code; addresses of libraries are zeros, and data and the hash of the sources behind the code are left out. */
function opcodesOf(code: string): Set<number> {
  const bytes = bytesFromHex(code.replaceAll(/__\$\w{34}\$__/g, '00'.repeat(20)) as Hex);
  const metadata = ((bytes.at(-2) ?? 0) << 8) + (bytes.at(-1) ?? 0) + 2;
  const opcodes = new Set<number>();
  for (let at = 0; at < bytes.length - metadata; at += 1) {
    const opcode = bytes[at] ?? 0;
    opcodes.add(opcode);
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
  return opcodes;
}
