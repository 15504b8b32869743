import { ecrecover } from './01-ecrecover.js';
import { sha256, ripemd160, identity } from './priced-by-word.js';
import { modexp } from './05-modexp.js';
import { bn254Add } from './06-bn254-add.js';
import { bn254Mul } from './07-bn254-mul.js';
import { bn254Pairing } from './08-bn254-pairing.js';
import { blake2f } from './09-blake2f.js';
import { pointEvaluation } from './0a-point-evaluation.js';
import { bls12G1Add, bls12G1Msm, bls12G2Add, bls12G2Msm } from './bls12-operations.js';
import { bls12Pairing } from './0f-bls12-pairing.js';
import { bls12MapFpToG1 } from './10-bls12-map-fp-to-g1.js';
import { p256Verify } from './100-p256verify.js';
import { bls12MapFp2ToG2 } from './11-bls12-map-fp2-to-g2.js';
import { berlinModexpGas, byzantiumModexpGas, osakaModexpGas } from './modexp/gas.js';
import { FORK_NAMES, type ForkName, type Precompile, type Precompiles } from './precompile.js';

type Changes = readonly (readonly [address: number, precompile: Precompile])[];

/** Precompiles that each fork adds or reprices. */
const CHANGES: Partial<Record<ForkName, Changes>> = {
  chainstart: [
    [0x01, ecrecover],
    [0x02, sha256],
    [0x03, ripemd160],
    [0x04, identity],
  ],
  byzantium: [
    [0x05, modexp(byzantiumModexpGas)],
    [0x06, bn254Add(500)],
    [0x07, bn254Mul(40_000)],
    [0x08, bn254Pairing(100_000, 80_000)],
  ],
  istanbul: [
    [0x06, bn254Add(150)],
    [0x07, bn254Mul(6_000)],
    [0x08, bn254Pairing(45_000, 34_000)],
    [0x09, blake2f],
  ],
  berlin: [[0x05, modexp(berlinModexpGas)]],
  cancun: [[0x0a, pointEvaluation]],
  prague: [
    [0x0b, bls12G1Add],
    [0x0c, bls12G1Msm],
    [0x0d, bls12G2Add],
    [0x0e, bls12G2Msm],
    [0x0f, bls12Pairing],
    [0x10, bls12MapFpToG1],
    [0x11, bls12MapFp2ToG2],
  ],
  osaka: [
    // Source of the bound: EIP-7823.
    [0x05, modexp(osakaModexpGas, 1_024)],
    [0x100, p256Verify],
  ],
};

const tables = tablesByFork();

function tablesByFork(): ReadonlyMap<ForkName, ReadonlyMap<number, Precompile>> {
  const found = new Map<ForkName, ReadonlyMap<number, Precompile>>();
  let table: ReadonlyMap<number, Precompile> = new Map();
  for (const fork of FORK_NAMES) {
    table = new Map([...table, ...(CHANGES[fork] ?? [])]);
    found.set(fork, table);
  }
  return found;
}

/** The precompiles of Ethereum, Frontier to Osaka. */
export const precompiles: Precompiles = {
  of: (fork) => tables.get(fork) as ReadonlyMap<number | bigint, Precompile>,
};
