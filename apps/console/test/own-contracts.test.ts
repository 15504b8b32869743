import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PERMISSION_CONTRACTS, permissionAbi } from '@tetrad/node-permission-contracts';
import { Interface } from 'ethers/abi';
import { parseAbi } from 'viem/utils';
import { meaningsOfLog } from '../page/src/abi/meanings.js';
import { PERMISSION_SIGNATURES, ROLLUP_SIGNATURES } from '../page/src/abi/own-contracts.js';

const ROLLUP = '../../../libs/rollup/chain/artifacts/Rollup.json';

/** With the names of parameters, of functions that transactions call, of events and of errors. */
const signaturesOf = (abi: Interface): readonly string[] =>
  abi.fragments
    .filter(({ type }) => type !== 'constructor')
    .map((fragment) => fragment.format('full'))
    .filter((text) => !/ (view|pure)\b/.test(text));

describe('signatures of our own contracts', () => {
  it('are those of the permission contracts, of both models', () => {
    const all = new Set(
      (['v1', 'v2'] as const).flatMap((model) =>
        PERMISSION_CONTRACTS.flatMap((contract) => {
          const signatures = signaturesOf(permissionAbi(model, contract));
          const isCalled = contract === 'interface' || contract === 'upgradable';
          return isCalled ? signatures : signatures.filter((text) => text.startsWith('event '));
        }),
      ),
    );
    // Its caller is the contract that replaces implementations.
    all.delete('function setPermImplementation(address implementation)');
    const written = new Interface(JSON.stringify(parseAbi<readonly string[]>(PERMISSION_SIGNATURES)));
    expect(new Set(signaturesOf(written))).toEqual(all);
  });

  it('are of the contract of the rollup', () => {
    const { abi } = JSON.parse(readFileSync(join(import.meta.dirname, ROLLUP), 'utf8')) as { abi: object[] };
    const compiled = signaturesOf(new Interface(abi as never));
    const written = signaturesOf(
      new Interface(JSON.stringify(parseAbi<readonly string[]>(ROLLUP_SIGNATURES))),
    );
    expect(compiled).toEqual(expect.arrayContaining([...written]));
  });

  it('give a log of theirs a meaning without a file', () => {
    const abi = permissionAbi('v2', 'roleManager');
    const log = abi.encodeEventLog('RoleRevoked', ['TRADER', 'BANK']);
    expect(meaningsOfLog([], log)).toMatchObject([
      { title: 'RoleRevoked(string roleId, string orgId)', by: ['permission contracts'], isStandard: true },
    ]);
  });
});
