import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { circuitVersionOf, loadCircuit } from '@tetrad/rollup-circuits';
import { loadContract } from '../contract/artifact.js';
import { KNOWN_CONTRACTS_FILE, knownContractsSchema, type KnownVerifier } from '../known/known-contracts.js';
import { recordRollup, recordVerifier } from './record-contracts.js';

/**
 * Writes known-contracts.json again from what the build made: after a change of contracts or circuits, or to add the verifiers of
 * the sizes that are named. Contracts of earlier versions stay as they are; the one that is deployed now is replaced. Verifiers of other
 * sizes, and of the earlier circuit, stay while they are of a circuit that the sources make.
 */
const sizes = process.argv.slice(2).map(Number);
const before = knownContractsSchema.parse(JSON.parse(readFileSync(KNOWN_CONTRACTS_FILE, 'utf8')));
const earlier = before.rollups.filter(({ version }) => version !== 'present');
const rollups = [await recordRollup(loadContract), ...earlier];
const verifiers: KnownVerifier[] = [];
for (const known of before.verifiers)
  if (known.hasConsents && sizes.includes(known.size)) continue;
  else if ((await circuitVersionOf(known.size, known.hasConsents)) === known.circuit) verifiers.push(known);
  else
    process.stderr.write(
      `the ${known.kind} verifier of batches of ${known.size} is of another circuit, and left out\n`,
    );
for (const size of sizes)
  for (const kind of ['standard', 'optimized'] as const)
    verifiers.push(await recordVerifier(loadContract, await loadCircuit(size), kind));
verifiers.sort((a, b) => a.size - b.size);
const text = JSON.stringify({ rollups, verifiers });
writeFileSync(KNOWN_CONTRACTS_FILE, await format(text, { parser: 'json', printWidth: 110 }));
