import { readFile } from 'node:fs/promises';
import {
  OperatorError,
  isAddress,
  parseAddress,
  settingsProblem,
  tomlLine,
  withoutByteOrderMark,
} from '@tetrad/types';
import { TomlError, parse as parseToml } from 'smol-toml';
import { z } from 'zod';
import type { PolicyRule } from './policy-rule.js';
import { RAW_SIGNING_METHOD, methodsNeverAllowed, transactionLimit } from './transaction-limit.js';

/** Rules in the order of the file. */
export type Policy = readonly PolicyRule[];

/** Callers without a token. */
export const ANONYMOUS = 'anonymous';

const QUANTITY = /^(?:0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/;
const MAX_RULES = 10_000;
const MAX_RATE = 1_000_000;

const quantity = z
  .union([z.int().nonnegative(), z.string().regex(QUANTITY, 'must be a decimal or 0x-prefixed number')], {
    error: 'must be a whole number, or text with one',
  })
  .transform((value) => BigInt(value));
const address = z.string().refine(isAddress, 'must be a 20-byte 0x address').transform(parseAddress);
const recipient = z.union([z.literal('contract-creation'), address], {
  error: 'must be a 20-byte 0x address or contract-creation',
});
const chain = quantity.refine((value) => value > 0n, 'must be above zero');

const ruleSchema = z.strictObject({
  name: z.string().min(1).max(100),
  callers: setOf(z.string().min(1)),
  keys: setOf(address),
  methods: setOf(z.string().min(1)),
  chains: setOf(chain),
  recipients: setOf(recipient),
  'max-value': quantity.optional(),
  'max-gas': quantity.optional(),
  'max-gas-price': quantity.optional(),
  'rate-per-minute': z.int().min(1).max(MAX_RATE).optional(),
});

const fileSchema = z.strictObject({
  rule: z.array(ruleSchema).max(MAX_RULES).refine(haveOwnNames, 'every rule must have a name of its own'),
});

function setOf<Member extends z.ZodType>(member: Member) {
  return z
    .array(member)
    .min(1, 'must not be empty: leave it out to allow everything')
    .transform((members): ReadonlySet<z.output<Member>> => new Set(members))
    .optional();
}

function haveOwnNames(rules: readonly { readonly name: string }[]): boolean {
  return new Set(rules.map(({ name }) => name)).size === rules.length;
}

/**
 * Reads a policy: TOML with one `[[rule]]` table a rule.
 * @throws OperatorError that names the file, the line and the key
 */
export async function readPolicyFile(path: string): Promise<Policy> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new OperatorError(`policy file ${path}: ${messageOf(error)}`);
  });
  try {
    return parsePolicy(text);
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    const line = error.line === undefined ? '' : `, line ${error.line}`;
    throw new OperatorError(`policy file ${path}${line}: ${error.message}`);
  }
}

/** A policy that cannot be taken: what is wrong, and on which line of its text. */
class PolicyError extends OperatorError {
  override readonly name = 'PolicyError';
  override readonly code = 'INVALID_POLICY';

  constructor(
    message: string,
    readonly line: number | undefined,
  ) {
    super(message);
  }
}

/**
 * The rules of a policy's text.
 * @throws OperatorError that names the key
 */
export function parsePolicy(text: string): Policy {
  const parsed = fileSchema.safeParse(readToml(text));
  if (!parsed.success) {
    const [issue = { path: [], message: 'is not valid' }] = parsed.error.issues;
    throw new PolicyError(`${keyOf(issue.path)}: ${settingsProblem(issue)}`, tomlLine(text, issue.path));
  }
  const policy = parsed.data.rule.map(toRule);
  for (const [index, rule] of policy.entries()) assertKept(rule, index, text);
  return policy;
}

function toRule(rule: z.output<typeof ruleSchema>): PolicyRule {
  return {
    name: rule.name,
    callers: rule.callers,
    keys: rule.keys,
    methods: rule.methods,
    chains: rule.chains,
    recipients: rule.recipients,
    maxValue: rule['max-value'],
    maxGas: rule['max-gas'],
    maxGasPrice: rule['max-gas-price'],
    ratePerMinute: rule['rate-per-minute'],
  };
}

/** A rule that names a method which it can never allow is a mistake, and better found now. */
function assertKept(rule: PolicyRule, index: number, text: string): void {
  const limit = transactionLimit(rule);
  if (limit === undefined || rule.methods?.has(RAW_SIGNING_METHOD) !== true) return;
  throw new PolicyError(
    `rule[${index}].methods: ${RAW_SIGNING_METHOD} signs any bytes, so ${limit} cannot hold for it; give it a rule of its own`,
    tomlLine(text, ['rule', index, 'methods']),
  );
}

/**
 * Warnings about rules that probably mean something else, one line each. Message methods next to a limit on
 * transactions do not stop the start, unlike in `assertKept`: files older than such limits for messages name both.
 */
export function cautionsOf(policy: Policy): readonly string[] {
  return policy.flatMap((rule) => [
    ...methodsNeverAllowed(rule).map(
      (method) =>
        `rule ${rule.name}: ${method} is never allowed, as ${transactionLimit(rule)} cannot be checked for it`,
    ),
  ]);
}

function readToml(text: string): unknown {
  try {
    return parseToml(withoutByteOrderMark(text));
  } catch (error) {
    throw new PolicyError('is not TOML', error instanceof TomlError ? error.line : undefined);
  }
}

/** `rule[0].max-value`. */
function keyOf(path: readonly PropertyKey[]): string {
  const key = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return key === '' ? 'the file' : key.replace(/^\./, '');
}

function messageOf(error: unknown): string {
  const message = (error as { readonly message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : String(error);
}
