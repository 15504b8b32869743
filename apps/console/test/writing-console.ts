import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTokenKey, issueToken, tokenPublicKey } from '@tetrad/service';
import type { Logger } from '@tetrad/types';
import {
  startConsole,
  type DescribedNode,
  type DescribedServices,
  type RunningConsole,
} from './running-console.js';

/** Tokens that the console shows to services. */
export const WRITE_TOKENS = { node: 'token.to.write', signer: 'token.to.send' } as const;

export interface WritingConsole extends RunningConsole {
  /** A token of a reader with these permissions. */
  tokenFor(...permissions: readonly string[]): Promise<string>;
}

/**
 * A console that asks for tokens, and writes.
 * @param options.kinds - services that it has a token for writing to
 */
export async function startWritingConsole(
  nodes: readonly DescribedNode[],
  {
    services = {},
    flags = [],
    kinds = ['node', 'signer'],
    logger,
  }: {
    readonly services?: DescribedServices;
    readonly flags?: readonly string[];
    readonly kinds?: readonly ('node' | 'signer')[];
    readonly logger?: Logger;
  } = {},
): Promise<WritingConsole> {
  const folder = await mkdtemp(join(tmpdir(), 'tetrad-console-keys-'));
  const key = createTokenKey();
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const tokens = kinds.map(async (kind) => [
    `--${kind}-write-token-file`,
    await write(kind, WRITE_TOKENS[kind]),
  ]);
  const all = [
    '--auth-jwt-key-file',
    await write('key.pub', tokenPublicKey(key)),
    '--node-token-file',
    await write('reads', 'token.to.read'),
    ...(await Promise.all(tokens)).flat(),
    ...flags,
  ];
  const console = await startConsole(nodes, all, services, logger);
  return {
    ...console,
    tokenFor: (...permissions) =>
      issueToken(key, { caller: 'operator@bank-a', permissions, lifetimeSeconds: 3_600 }),
    async stop() {
      await console.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
