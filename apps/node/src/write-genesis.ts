import { bftRules } from '@tetrad/node-consensus-bft';
import { FORK_NAMES, defaultGenesis } from '@tetrad/node-execution';
import { hexFromBytes, parseAddress } from '@tetrad/types';
import { z } from 'zod';

/**
 * Reads the description of a chain from standard input and writes its genesis.json to standard output; the launcher and
 * tests start networks with it.
 */
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address')
  .transform((text) => parseAddress(text));

const requestSchema = z.strictObject({
  chainId: z.int().min(2),
  engine: z.enum(['qbft', 'ibft', 'raft']),
  blockPeriodMs: z.int().min(10),
  emptyBlockPeriodSeconds: z.int().min(1).optional(),
  validators: z.array(address).min(1),
  /** Address → wei, decimal. */
  balances: z.record(z.string(), z.string().regex(/^\d+$/)),
  requestTimeoutSeconds: z.int().min(1).optional(),
  gasLimit: z.string().regex(/^\d+$/).optional(),
  fork: z.enum(FORK_NAMES).optional(),
  maxCodeKilobytes: z.int().min(24).max(128).optional(),
  isGasFree: z.boolean().optional(),
  hasPrivacy: z.boolean().optional(),
});

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const parsed = requestSchema.safeParse(JSON.parse(await readInput()));
if (!parsed.success) {
  const issue = parsed.error.issues[0];
  process.stderr.write(`genesis request: ${issue?.path.join('.')}: ${issue?.message}\n`);
  process.exit(2);
}
const { validators, balances, gasLimit, ...chain } = parsed.data;
const genesis = defaultGenesis({
  ...chain,
  extraData: hexFromBytes(
    chain.engine === 'raft' ? new Uint8Array(32) : bftRules(chain.engine).genesisExtraData(validators),
  ),
  balances: new Map(Object.entries(balances).map(([account, wei]) => [parseAddress(account), BigInt(wei)])),
  gasLimit: gasLimit === undefined ? undefined : BigInt(gasLimit),
});
process.stdout.write(`${JSON.stringify(genesis, null, 2)}\n`);
