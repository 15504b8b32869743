import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { loadCircuit } from '@tetrad/rollup-circuits';
import { MessagePackReader } from './message-pack.js';
import { readAcir } from './read-acir.js';
import { witnessNames } from './witness-names.js';

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

describe('MessagePack', () => {
  it('is read as its specification writes it', () => {
    // The example of msgpack.org.
    const example = bytesOf('82 a7 63 6f 6d 70 61 63 74 c3 a6 73 63 68 65 6d 61 00');
    expect(new MessagePackReader(example).value()).toEqual(
      new Map<string, unknown>([
        ['compact', true],
        ['schema', 0],
      ]),
    );
    const others = bytesOf('96 c0 cc ff cd 01 00 ce 00 01 00 00 cf 00 00 00 01 00 00 00 00 c4 02 ab cd');
    expect(new MessagePackReader(others).value()).toEqual([
      null,
      255,
      256,
      65_536,
      2n ** 32n,
      bytesOf('abcd'),
    ]);
  });

  it('is refused where it ends too early, and for types that no program has', () => {
    expect(() => new MessagePackReader(bytesOf('a3 61')).value()).toThrow('the bytes end within a value');
    expect(() => new MessagePackReader(bytesOf('ca 00 00 00 00')).value()).toThrow('a value of type 202');
    expect(() => new MessagePackReader(bytesOf('c3')).listLength()).toThrow('no list');
  });
});

describe('the constraints of a circuit', () => {
  it.each([1, 2])(
    'of size %i are read with their inputs, and without what is not constrained',
    async (size) => {
      const { bytecode, abi } = await loadCircuit(size);
      const { opcodes, inputs, publicInputs, withoutHints } = readAcir(bytecode);
      const names = witnessNames(abi);
      expect([...names.values()]).toEqual(inputs);
      expect(publicInputs).toHaveLength(10 + 4 * size);
      expect(names.get('operations.0.kind')).toBe(publicInputs.length + 2 + 32);
      const rest = readAcir(Buffer.from(withoutHints).toString('base64'));
      expect(rest.opcodes).toEqual(opcodes.filter(({ kind }) => kind !== 'hint'));
      expect(rest.inputs).toEqual(inputs);
      expect(opcodes.filter(({ kind }) => kind === 'products')).toHaveLength(size);
    },
  );

  it('are not read from a program of another format', () => {
    const other = gzipSync(Uint8Array.of(2, 0x90)).toString('base64');
    expect(() => readAcir(other)).toThrow('a program in format 2');
  });
});
