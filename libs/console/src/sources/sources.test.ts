import { describe, expect, it } from '@jest/globals';
import type { Thread } from '@tetrad/types';
import { RefusedRequest } from '../calls.js';
import { boundMemory } from './bound-memory.js';
import { compareCode, compilerOf } from './compare-code.js';
import type { CompiledContract, CompilerAnswer } from './compiled-contract.js';
import { SourceCompiler } from './source-compiler.js';
import { parseStandardInput } from './standard-input.js';
import { verifySources } from './verify-sources.js';

const CONTRACT = `pragma solidity ^0.8.0;
contract Kept {
  uint256 public immutable first;
  address public immutable maker;
  constructor(uint256 value) { first = value; maker = msg.sender; }
  function twice() external view returns (uint256) { return first + first; }
}`;

const inputOf = (content: string, settings: object = {}) =>
  JSON.stringify({ language: 'Solidity', sources: { 'Kept.sol': { content } }, settings });

const compiler = new SourceCompiler();
const compiled = async (content: string, settings?: object) => {
  const { contracts } = await compiler.compile(parseStandardInput(inputOf(content, settings)));
  return contracts[0] as CompiledContract;
};

/** The code of a deployment: immutable values filled in. */
function deployed({ code, immutables }: CompiledContract, values: readonly string[]): string {
  const bytes = [...code];
  for (const [index, places] of immutables.entries())
    for (const { start, length } of places)
      bytes.splice(2 * start, 2 * length, ...(values[index] ?? '').padStart(2 * length, '0'));
  return `0x${bytes.join('')}`;
}

describe('sources and the code of a deployment', () => {
  it('are the same but for immutable values, to the last byte or apart from the metadata', async () => {
    const contract = await compiled(CONTRACT);
    expect(contract.immutables.map((places) => places.length > 0)).toEqual([true, true]);
    const code = deployed(contract, ['2a', 'ab'.repeat(20)]);
    expect(compareCode(code, contract)).toBe('exact');
    const commented = await compiled(`${CONTRACT} // with a comment`);
    expect(compareCode(code, commented)).toBe('apartFromMetadata');
    expect(compilerOf(code)).toBe('0.8.37');
  });

  it('differ in one byte, in a setting, and where an immutable has two values', async () => {
    const contract = await compiled(CONTRACT);
    const code = deployed(contract, ['2a', 'ab'.repeat(20)]);
    expect(
      compareCode(
        `${code.slice(0, 20)}${code.slice(20, 22) === '00' ? '01' : '00'}${code.slice(22)}`,
        contract,
      ),
    ).toBeUndefined();
    expect(compareCode(code, await compiled(CONTRACT, { optimizer: { enabled: true } }))).toBeUndefined();
    const [twice] = contract.immutables.filter((places) => places.length > 1);
    const { start = 0, length = 0 } = twice?.[0] ?? {};
    const other = `${code.slice(0, 2 + 2 * start)}${'1'.repeat(2 * length)}${code.slice(2 + 2 * (start + length))}`;
    expect(compareCode(other, contract)).toBeUndefined();
  });

  it('of a library are the same at its address, whatever that is', async () => {
    const contract = await compiled(
      'library Lib { function f() external pure returns (uint) { return 1; } }',
    );
    const at = (address: string) => `0x73${address}${contract.code.slice(42)}`;
    expect(compareCode(at('ab'.repeat(20)), contract)).toBe('exact');
    expect(compareCode(`0x74${at('ab'.repeat(20)).slice(4)}`, contract)).toBeUndefined();
  });

  it('are named: contract, file, compiler and ABI', async () => {
    const contract = await compiled(CONTRACT);
    const text = inputOf(`${CONTRACT} contract Other {}`);
    const verified = await verifySources({ code: deployed(contract, ['1', '2']), text }, compiler);
    expect(verified).toEqual({
      compiler: expect.stringMatching(/^0\.8\.37\+commit/),
      matches: [{ file: 'Kept.sol', contract: 'Kept', match: 'apartFromMetadata', abi: contract.abi }],
      madeBy: '0.8.37',
    });
    await expect(verifySources({ code: '0x', text }, compiler)).rejects.toThrow('has no code');
  });
});

describe('an input', () => {
  it.each([
    ['{', 'the file is not JSON'],
    ['[]', 'input: '],
    ['{"language":"Yul","sources":{}}', 'language: must be "Solidity"'],
    [
      '{"language":"Solidity","sources":{"a.sol":{"urls":["https://example.com"]}}}',
      'sources.a.sol.content: must be the text of the file',
    ],
  ])('is refused where it is invalid: %s', (text, message) => {
    expect(() => parseStandardInput(text)).toThrow(RefusedRequest);
    expect(() => parseStandardInput(text)).toThrow(message);
  });

  it('chooses no outputs and no model checker', () => {
    const settings = {
      modelChecker: { engine: 'all' },
      outputSelection: { '*': { '': ['ast'] } },
      viaIR: true,
    };
    const { settings: kept } = JSON.parse(parseStandardInput(inputOf('', settings))) as { settings: object };
    expect(kept).toMatchObject({ viaIR: true, outputSelection: { '*': { '*': expect.any(Array) } } });
    expect(kept).not.toHaveProperty('modelChecker');
  });

  it('that does not compile is refused with what the compiler says, and so is an import', async () => {
    await expect(compiled('contract A { uint x = "a"; }')).rejects.toThrow(/solc 0\.8\.37.*TypeError/s);
    await expect(compiled('import "./B.sol";')).rejects.toThrow(/Source "B.sol" not found/);
  });
});

describe('the compiler', () => {
  /** A thread that answers when the test wants. */
  function silentThread() {
    const answers: ((answer: CompilerAnswer) => void)[] = [];
    let stopped = 0;
    const start = (): Thread<string, CompilerAnswer> => ({
      post: () => undefined,
      onMessage: (listener) => void answers.push(listener),
      onEnd: () => undefined,
      keepAlive: () => undefined,
      stop: () => Promise.resolve((stopped += 1)),
    });
    return { answers, start, stops: () => stopped };
  }

  it('is stopped when it takes too long', async () => {
    const { start, stops } = silentThread();
    const slow = new SourceCompiler({ start, maxCompileMs: 20 });
    await expect(slow.compile('')).rejects.toThrow('did not compile within 0.02 s');
    expect(stops()).toBe(1);
  });

  it('compiles one input at a time, lets a few wait and refuses the others', async () => {
    const { answers, start } = silentThread();
    const one = new SourceCompiler({ start });
    const waiting = Array.from({ length: 5 }, () => one.compile(''));
    await expect(one.compile('')).rejects.toMatchObject({ status: 429 });
    for (let turn = 0; turn < 5; turn += 1) {
      while (answers.length <= turn) await new Promise((tick) => setImmediate(tick));
      expect(answers).toHaveLength(turn + 1);
      answers[turn]?.({ version: '1', contracts: [] });
    }
    expect(await Promise.all(waiting)).toHaveLength(5);
    const failed = one.compile('');
    while (answers.length < 6) await new Promise((tick) => setImmediate(tick));
    answers[5]?.({ fault: 'out of memory' });
    await expect(failed).rejects.toThrow('the compiler failed: out of memory');
  });

  it('gets no memory beyond the bound', () => {
    const grown: number[] = [];
    const prototype = {
      buffer: { byteLength: 131_072 },
      grow: (pages: number) => grown.push(pages),
    };
    boundMemory(prototype, 262_144);
    prototype.grow(2);
    expect(() => prototype.grow(3)).toThrow('out of memory');
    expect(grown).toEqual([2]);
  });
});
