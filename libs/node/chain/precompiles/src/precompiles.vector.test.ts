import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { bytesFromHex, hexFromBytes } from '@tetrad/types';
import type { ForkName } from './precompile.js';
import { precompiles } from './precompiles.js';

interface PrecompileVector {
  readonly name: string;
  readonly fork: ForkName;
  readonly address: string;
  readonly input: string;
  readonly output?: string;
  /** 0 where the source does not state it. */
  readonly gas?: number;
  readonly fails?: boolean;
}

/** Source: ../../execution/vectors/ORIGIN.md */
const file = join(import.meta.dirname, '../../execution/vectors/precompiles/precompiles.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly PrecompileVector[];

describe('published vectors', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    const precompile = precompiles.of(vector.fork).get(Number(vector.address));
    if (precompile === undefined) throw new Error(`${vector.fork} has none at ${vector.address}`);
    const input = bytesFromHex(vector.input);
    const output = await precompile.run(input);
    expect(output && hexFromBytes(output)).toBe(vector.fails === true ? undefined : vector.output);
    if (vector.gas !== undefined && vector.gas > 0 && vector.fails !== true)
      expect(precompile.gas(input)).toBe(vector.gas);
  });
});
