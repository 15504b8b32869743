import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';
import { errorOutput, logsBelow, operationsOutput } from './secrets/network-output.js';
import { passwordsInUrls, secretsInFolder, textSecret } from './secrets/network-secrets.js';
import { provokeErrors } from './secrets/provoked-errors.js';
import { findSecrets, type Secret, type Source } from './secrets/secret-forms.js';

/** From logs, metrics, errors and traces: what is searched must contain each. */
const EXPECTED = ['service started', 'node_pool_transactions', 'not available', 'resourceSpans'];

/**
 * Searches all that the services have written and answered during the demo for every secret of the network: keys,
 * passwords, tokens and private payloads, in all forms.
 */
export async function findNoSecrets(context: DemoContext): Promise<string> {
  const { network, options, collector, payloads } = context;
  const token = randomBytes(32).toString('base64url');
  const payload = randomBytes(96);
  const confidential = { token, payload: payload.toString('hex') };
  const answers = await provokeErrors(network.endpoints, confidential);
  const secrets: Secret[] = [
    ...(await secretsInFolder(options.dataDir)),
    ...network.processes.flatMap((process) => passwordsInUrls(process.command([]).environment)),
    ...passwordsInUrls({ 'the database URL': network.endpoints.database.url }),
    ...(await walletSecrets(context)),
    ...payloads.map((bytes, index) => ({ name: `private payload ${index}`, bytes })),
    textSecret('token of a rejected request', token),
    { name: 'payload of a rejected request', bytes: payload },
  ];
  const sources: Source[] = [
    ...(await logsBelow(options.dataDir)),
    ...(await operationsOutput(network.processes)),
    ...answers,
    ...errorOutput(),
    { name: 'traces', content: Buffer.from(collector.bodies.join('\n')) },
  ];
  assert(payloads.length > 0, 'no private payload was sent');
  // A search in the wrong place finds nothing either.
  for (const text of EXPECTED)
    assert(
      sources.some(({ content }) => content.includes(text)),
      `what was searched lacks ${text}`,
    );
  const [found] = findSecrets(secrets, sources);
  assert(
    found === undefined,
    `${found?.secret} is in ${found?.source} at byte ${found?.offset}, as ${found?.form}`,
  );
  const bytes = sources.reduce((sum, { content }) => sum + content.length, 0);
  return `none of ${secrets.length} keys, passwords, tokens and private payloads is in ${(bytes / 1e6).toFixed(1)} MB of logs, metrics, errors and traces`;
}

/** Private keys of the wallet, as its command line exports them: hex of JSON with the key in base64. */
async function walletSecrets({ network, walletUrl }: DemoContext): Promise<Secret[]> {
  const addresses = (await callRpc(walletUrl, 'Coin.WalletList', [])) as string[];
  const secrets: Secret[] = [];
  for (const address of addresses) {
    const { command, args, environment } = network.process('wallet').command(['export', address, '--yes']);
    const { stdout } = await promisify(execFile)(command, [...args], {
      env: { ...process.env, ...environment },
    });
    const { PrivateKey } = JSON.parse(Buffer.from(stdout.trim(), 'hex').toString()) as { PrivateKey: string };
    secrets.push({ name: `wallet key of ${address}`, bytes: Buffer.from(PrivateKey, 'base64') });
  }
  return secrets;
}
