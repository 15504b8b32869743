import { rulesOf } from '../../src/index.js';

const opcodes = new Map(
  rulesOf('osaka').opcodes.flatMap((rule, op) => (rule === undefined ? [] : [[rule.name, op]])),
);

/**
 * Code of a text: opcode names, hex or decimal numbers (the shortest PUSH), `name:` for a JUMPDEST and `@name` for a
 * PUSH2 of its place.
 */
export function assemble(text: string): Uint8Array {
  const tokens = text.trim().split(/\s+/);
  const labels = new Map<string, number>();
  let size = 0;
  for (const token of tokens) {
    if (token.endsWith(':')) labels.set(token.slice(0, -1), size);
    size += bytesOf(token, () => 0).length;
  }
  return Uint8Array.from(tokens.flatMap((token) => bytesOf(token, (label) => labels.get(label) as number)));
}

function bytesOf(token: string, place: (label: string) => number): number[] {
  if (token.endsWith(':')) return [0x5b];
  if (token.startsWith('@')) {
    const at = place(token.slice(1));
    return [0x61, at >> 8, at & 0xff];
  }
  const op = opcodes.get(token);
  if (op !== undefined) return [op];
  const digits = BigInt(token).toString(16);
  const bytes = Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
  return [0x5f + bytes.length, ...bytes];
}
