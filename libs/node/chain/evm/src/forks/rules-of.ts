import { BEFORE_BERLIN } from './before-berlin.js';
import { CHAINSTART_FEATURES, CHAINSTART_GAS, CHAINSTART_OPCODES } from './chainstart.js';
import { FORK_NAMES, type ForkName } from '@tetrad/node-precompiles';
import type { OpcodeRule, Rules } from './rules.js';
import { SINCE_BERLIN } from './since-berlin.js';

const CHANGES = { ...BEFORE_BERLIN, ...SINCE_BERLIN };
const TABLES = tables();

/** The rules of a fork, those of all forks before it included. */
export function rulesOf(fork: ForkName): Rules {
  return TABLES.get(fork) as Rules;
}

function tables(): ReadonlyMap<ForkName, Rules> {
  const all = new Map<ForkName, Rules>();
  let features = CHAINSTART_FEATURES;
  let gas = CHAINSTART_GAS;
  let opcodes = CHAINSTART_OPCODES;
  for (const fork of FORK_NAMES) {
    const change = CHANGES[fork];
    features = { ...features, ...change?.features };
    gas = { ...gas, ...change?.gas };
    opcodes = { ...opcodes, ...change?.opcodes };
    all.set(fork, { ...features, gas, opcodes: dense(opcodes) });
  }
  return all;
}

function dense(opcodes: Readonly<Record<number, OpcodeRule>>): (OpcodeRule | undefined)[] {
  return Array.from({ length: 256 }, (_, code) => opcodes[code]);
}
