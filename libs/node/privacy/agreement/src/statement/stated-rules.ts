import type { SigningKey } from '@tetrad/crypto';
import { hashFromBytes, hashToBytes, type Hash } from '@tetrad/types';
import { fixed, type FixedFields } from '../signed/fixed-fields.js';
import { openSigned, signMessage } from '../signed/node-signature.js';
import { readMessage } from '../signed/read-message.js';

/** Numbers of what decides how private transactions execute in a block. Source: docs/spec/agreement-statements.md#rules */
export const RULES = {
  /** Position in the order of Ethereum's forks, from 0. */
  fork: 1,
  /** Most bytes of deployed code. */
  maxCodeSize: 2,
  /** Whether privacy flags other than 0 are in force: 1 or 0. */
  privacyFlags: 3,
  /** Whether privacy marker transactions are in force: 1 or 0. */
  markers: 4,
} as const;

/** Rules by number; a later version may state further ones. */
export type ExecutionRules = ReadonlyMap<number, number>;

/** By which rules a node says that it executes a block. */
export interface StatedRules {
  /** Hash of its statement about the block, which names chain, block and pair: see `statementHash`. */
  readonly statement: Hash;
  readonly rules: ExecutionRules;
}

/** A rule of which both ends have said something else. */
export interface RuleDifference {
  readonly rule: number;
  readonly own: number;
  readonly other: number;
}

const MARK = Buffer.from('tetrad/agreement/rules/v1');
/** Rules that are read of one message. */
const MAX_RULES = 64;

/**
 * Layout: docs/spec/agreement-statements.md#rules
 *
 * @throws RequestError KEY_UNAVAILABLE when the node key is in a service that does not sign
 */
export function signRules(
  { statement, rules }: StatedRules,
  nodeKey: Pick<SigningKey, 'sign'>,
): Promise<Uint8Array> {
  const sorted = [...rules].sort(([a], [b]) => a - b);
  const fields = sorted.flatMap(([rule, value]) => [fixed(rule, 2), fixed(value, 8)]);
  const message = Buffer.concat([MARK, hashToBytes(statement), fixed(sorted.length, 2), ...fields]);
  return signMessage(message, nodeKey);
}

/** @returns undefined for another message, and for one that is not well formed or that no key has signed */
export function openRules(bytes: Uint8Array): (StatedRules & { readonly signer: string }) | undefined {
  const opened = openSigned(bytes, MARK);
  const stated = opened && readMessage(opened.message, MARK, readRules);
  return stated && { ...stated, signer: opened.signer };
}

/**
 * What two ends have said differently.
 * @param own - as signed here; undefined where this end has said nothing
 * @param other - as the other end signed it
 * @returns in the order of the numbers, of rules that both know; undefined where one of them has said nothing
 */
export function differentRules(
  own: Uint8Array | undefined,
  other: Uint8Array | undefined,
): RuleDifference[] | undefined {
  const mine = own && openRules(own)?.rules;
  const theirs = other && openRules(other)?.rules;
  if (mine === undefined || theirs === undefined) return undefined;
  return [...mine].flatMap(([rule, value]) => {
    const there = theirs.get(rule);
    return there === undefined || there === value ? [] : [{ rule, own: value, other: there }];
  });
}

function readRules(fields: FixedFields): StatedRules | undefined {
  const statement = hashFromBytes(fields.take(32));
  const count = Number(fields.bigint(2));
  if (count > MAX_RULES) return undefined;
  const rules = new Map<number, number>();
  let last = 0;
  for (let index = 0; index < count; index++) {
    const rule = Number(fields.bigint(2));
    if (rule <= last) return undefined;
    rules.set((last = rule), fields.number());
  }
  return { statement, rules };
}
