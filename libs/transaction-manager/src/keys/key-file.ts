import { randomBytes } from 'node:crypto';
import { argon2d, argon2i, argon2id, type IArgon2Options } from 'hash-wasm';
import { OperatorError, withoutByteOrderMark } from '@tetrad/types';
import { NONCE_BYTES, SECRET_BYTES, open, randomNonce, seal } from '../enclave/secretbox.js';
import { KEY_BYTES } from './key-pair.js';

/** Cost of the key derivation: memory in KiB. */
export interface Argon2Cost {
  readonly memory: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** What existing managers write; 20 s and 1 GiB with a derivation in WebAssembly. */
const MANAGER_COST: Argon2Cost = { memory: 1_048_576, iterations: 10, parallelism: 4 };

/** The first choice of RFC 9106 for hosts with little memory: 64 MiB, three passes, four lanes. */
export const DEFAULT_COST: Argon2Cost = { memory: 65_536, iterations: 3, parallelism: 4 };

/** Most that a key file may ask for: twice the memory of what existing managers write. */
export const MAX_COST: Argon2Cost = {
  memory: 2 * MANAGER_COST.memory,
  iterations: 100,
  parallelism: 64,
};

const ARGON2 = new Map([
  ['id', argon2id],
  ['i', argon2i],
  ['d', argon2d],
]);

/** A private key in a file of existing managers: encrypted, type `argon2sbox`. */
export async function encryptKeyFile(
  privateKey: Uint8Array,
  password: string,
  cost: Argon2Cost = DEFAULT_COST,
): Promise<string> {
  const [salt, nonce] = [randomBytes(SECRET_BYTES), randomNonce()];
  const key = await derive('id', { password, salt, ...cost });
  const data = {
    aopts: { variant: 'id', ...cost },
    snonce: Buffer.from(nonce).toString('base64'),
    asalt: salt.toString('base64'),
    sbox: Buffer.from(seal(key, nonce, privateKey)).toString('base64'),
  };
  return `${JSON.stringify({ type: 'argon2sbox', data }, undefined, 2)}\n`;
}

/**
 * The private key (32 bytes) of a `.key` file: `{"type":"argon2sbox","data":{aopts, snonce, asalt, sbox}}`, or
 * `{"type":"unlocked","data":{"bytes"}}`.
 * @param name - of the file, for errors
 * @param password - undefined without one
 * @throws OperatorError, which names the member that is wrong, but nothing of the key
 */
export async function decryptKeyFile(text: string, name: string, password?: string): Promise<Uint8Array> {
  const file = parseFile(text, name);
  const data = memberOf(file, 'data', name);
  if (file['type'] === 'unlocked') return bytesMember(data, 'bytes', name, KEY_BYTES);
  if (file['type'] !== 'argon2sbox')
    throw new OperatorError(`${name}: type must be "argon2sbox" or "unlocked"`);
  if (password === undefined) throw new OperatorError(`${name}: the key is encrypted and has no password`);
  const salt = bytesMember(data, 'asalt', name);
  const nonce = bytesMember(data, 'snonce', name, NONCE_BYTES);
  const box = bytesMember(data, 'sbox', name);
  const options = memberOf(data, 'aopts', name);
  const key = await derive(variantOf(options, name), { password, salt, ...costOf(options, name) });
  const privateKey = open(key, nonce, box);
  if (privateKey?.length !== KEY_BYTES) throw new OperatorError(`${name}: the password is wrong`);
  return privateKey;
}

function derive(
  variant: string,
  { memory, ...options }: Argon2Cost & Pick<IArgon2Options, 'password' | 'salt'>,
): Promise<Uint8Array> {
  const argon2 = ARGON2.get(variant) ?? argon2id;
  return argon2({ ...options, memorySize: memory, hashLength: SECRET_BYTES, outputType: 'binary' });
}

type Members = Readonly<Record<string, unknown>>;

function parseFile(text: string, name: string): Members {
  try {
    return asMembers(JSON.parse(withoutByteOrderMark(text)), name);
  } catch {
    throw new OperatorError(`${name} is not a JSON object`);
  }
}

function memberOf(members: Members, member: string, name: string): Members {
  return asMembers(members[member], `${name}: ${member}`);
}

function asMembers(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null) throw new OperatorError(`${name} is not a JSON object`);
  return value as Members;
}

function bytesMember(members: Members, member: string, name: string, size?: number): Uint8Array {
  const text = members[member];
  const bytes = Buffer.from(typeof text === 'string' ? text : '', 'base64');
  if (typeof text !== 'string' || bytes.toString('base64') !== text)
    throw new OperatorError(`${name}: ${member} is not base64`);
  if (size !== undefined && bytes.length !== size)
    throw new OperatorError(`${name}: ${member} has ${bytes.length} bytes, not ${size}`);
  return bytes;
}

function variantOf(options: Members, name: string): string {
  const variant = options['variant'];
  if (typeof variant === 'string' && ARGON2.has(variant)) return variant;
  throw new OperatorError(`${name}: aopts.variant must be "id", "i" or "d"`);
}

function costOf(options: Members, name: string): Argon2Cost {
  const parallelism = countOf(options, 'parallelism', name, 1, MAX_COST.parallelism);
  return {
    parallelism,
    memory: countOf(options, 'memory', name, 8 * parallelism, MAX_COST.memory),
    iterations: countOf(options, 'iterations', name, 1, MAX_COST.iterations),
  };
}

function countOf(options: Members, member: string, name: string, least: number, most: number): number {
  const value = options[member];
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most)
    return value as number;
  throw new OperatorError(`${name}: aopts.${member} must be an integer from ${least} to ${most}`);
}
