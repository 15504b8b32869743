import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SolidityError, compile, compileFolder, loadArtifact } from './compile.js';

const HEADER = '// SPDX-License-Identifier: Apache-2.0\npragma solidity ^0.8.20;\n';
const BOX = `${HEADER}contract Box { uint256 public content; function put(uint256 value) external { content = value; } }\n`;
const LID = `${HEADER}import {Box} from './Box.sol';\ncontract Lid is Box { event Opened(); }\n`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tetrad-solidity-'));
  await mkdir(join(folder, 'contracts'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(join(folder, 'contracts', name), text);

describe('compiling', () => {
  it('gives the interface and the code of every contract, imports included', () => {
    const artifacts = compile({ 'Box.sol': { content: BOX }, 'Lid.sol': { content: LID } });
    expect([...artifacts.keys()].sort()).toEqual(['Box', 'Lid']);
    expect(artifacts.get('Box')?.abi.map(({ name }) => name)).toEqual(['content', 'put']);
    expect(artifacts.get('Lid')?.abi.map(({ name }) => name)).toContain('Opened');
    for (const { bytecode } of artifacts.values()) expect(bytecode).toMatch(/^0x60[0-9a-f]{40,}$/);
  });

  it('fails with the file, the line and the compiler’s words', () => {
    const broken = `${HEADER}contract Broken {\n  function f() external { missing(); }\n}\n`;
    const attempt = () => compile({ 'Broken.sol': { content: broken } });
    expect(attempt).toThrow(SolidityError);
    expect(attempt).toThrow(/Undeclared identifier[^]*Broken\.sol:4:27/);
  });

  it('reports every error, and fails on a missing import', () => {
    const broken = `${HEADER}contract Broken { function f() external { one(); two(); } }\n`;
    expect(() => compile({ 'Broken.sol': { content: broken } })).toThrow(/one\(\)[^]*two\(\)/);
    expect(() => compile({ 'Lid.sol': { content: LID } })).toThrow(/Box\.sol/);
  });

  it('does not fail on warnings', () => {
    const unlicensed = 'pragma solidity ^0.8.20;\ncontract Plain {}\n';
    expect(compile({ 'Plain.sol': { content: unlicensed } }).has('Plain')).toBe(true);
  });
});

describe('compiling a folder', () => {
  it('writes artifacts once, and again only when a source has changed', async () => {
    await write('Box.sol', BOX);
    expect(await compileFolder(folder)).toBe(true);
    const first = await loadArtifact(folder, 'Box');
    expect(await compileFolder(folder)).toBe(false);
    await write('Box.sol', BOX.replace('put(', 'store('));
    expect(await compileFolder(folder)).toBe(true);
    const second = await loadArtifact(folder, 'Box');
    expect(second.abi).not.toEqual(first.abi);
    expect(second.bytecode).not.toBe(first.bytecode);
  });

  it('takes sources that the build generated with the others', async () => {
    await mkdir(join(folder, 'contracts', 'generated'));
    await write('generated/Box.sol', BOX);
    await write('Lid.sol', LID.replace('./Box.sol', './generated/Box.sol'));
    expect(await compileFolder(folder)).toBe(true);
    expect((await loadArtifact(folder, 'Box')).bytecode).toMatch(/^0x60/);
    await write('generated/Box.sol', BOX.replace('put(', 'store('));
    expect(await compileFolder(folder)).toBe(true);
  });

  it('reports why a contract without other errors yields no code', async () => {
    const locals = Array.from({ length: 20 }, (_, index) => `uint256 v${index} = x + ${index};`).join(' ');
    const sum = Array.from({ length: 20 }, (_, index) => `v${index}`).join(' * ');
    const deep = `${HEADER}contract Deep { function f(uint256 x) external pure returns (uint256) { ${locals} return ${sum}; } }\n`;
    expect(() => compile({ 'Deep.sol': { content: deep } })).toThrow(/Stack too deep/);
  });

  it('keeps no artifact of a contract that was removed', async () => {
    await write('Box.sol', BOX);
    await write('Lid.sol', LID);
    await compileFolder(folder);
    await rm(join(folder, 'contracts', 'Lid.sol'));
    expect(await compileFolder(folder)).toBe(true);
    await expect(loadArtifact(folder, 'Lid')).rejects.toThrow(/Lid\.json is missing; run the build/);
    expect((await loadArtifact(folder, 'Box')).bytecode).toMatch(/^0x/);
  });

  it('that failed is not taken for up to date', async () => {
    await write('Box.sol', BOX);
    await compileFolder(folder);
    await write('Box.sol', BOX.replace('uint256 public', 'uint257 public'));
    await expect(compileFolder(folder)).rejects.toThrow(SolidityError);
    await expect(compileFolder(folder)).rejects.toThrow(/Box\.sol:3/);
  });

  it('uses only opcodes of the EVM that the manifest names, and compiles again when it names another', async () => {
    const manifest = (evmVersion: string) =>
      writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'box', solidity: { evmVersion } }));
    await write('Box.sol', BOX);
    await compileFolder(folder);
    const newest = await loadArtifact(folder, 'Box');
    await manifest('byzantium');
    expect(await compileFolder(folder)).toBe(true);
    // PUSH0 of Shanghai, before the RETURN of the deployed code.
    expect(newest.bytecode).toContain('5ff3fe');
    expect((await loadArtifact(folder, 'Box')).bytecode).toContain('6000f3fe');
    expect(await compileFolder(folder)).toBe(false);
    await manifest('frontierland');
    await expect(compileFolder(folder)).rejects.toThrow(/evmVersion/);
  });

  it('compiles what the build generated for Cancun with its opcodes, and the others with theirs', async () => {
    const manifest = { name: 'box', solidity: { evmVersion: 'istanbul' } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await mkdir(join(folder, 'contracts', 'generated', 'cancun'), { recursive: true });
    await write('Box.sol', BOX);
    await write('generated/cancun/Fast.sol', BOX.replace('contract Box', 'contract Fast'));
    expect(await compileFolder(folder)).toBe(true);
    expect((await loadArtifact(folder, 'Fast')).bytecode).toContain('5ff3fe');
    expect((await loadArtifact(folder, 'Box')).bytecode).toContain('6000f3fe');
    expect(await compileFolder(folder)).toBe(false);
    await write('generated/cancun/Fast.sol', BOX.replace('contract Box', 'contract Faster'));
    expect(await compileFolder(folder)).toBe(true);
    await expect(loadArtifact(folder, 'Fast')).rejects.toThrow(SolidityError);
  });

  it('leaves files other than Solidity alone', async () => {
    await write('Box.sol', BOX);
    await write('notes.txt', 'not Solidity');
    await compileFolder(folder);
    await write('notes.txt', 'changed');
    expect(await compileFolder(folder)).toBe(false);
    expect(JSON.parse(await readFile(join(folder, 'artifacts', 'Box.json'), 'utf8'))).toHaveProperty('abi');
  });
});
