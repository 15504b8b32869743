import * as z from 'zod';
import { postJson } from './call-node.js';

const text = z.string().max(500);

const verificationSchema = z.object({
  compiler: text,
  matches: z.array(
    z.object({
      file: text,
      contract: text,
      match: z.enum(['exact', 'apartFromMetadata']),
      abi: z.array(z.unknown()),
    }),
  ),
  madeBy: text.optional(),
});

/** What sources say of the code of an account. */
export type Verification = z.output<typeof verificationSchema>;

/**
 * Has the console compile a standard JSON input, and compare it with the code of the account at the node.
 * @throws Failure with what the console or the compiler says
 */
export async function verifySources(node: string, address: string, input: string): Promise<Verification> {
  const path = `/api/nodes/${encodeURIComponent(node)}/sources/${encodeURIComponent(address)}`;
  return verificationSchema.parse(await postJson(path, input));
}
