import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';

interface Signature {
  readonly Type: number;
  readonly Data: string;
}

const KINDS = [
  ['secp256k1', 1],
  ['bls', 2],
] as const;
const DATA = Buffer.from('what the wallet signs').toString('base64');

/** Creates keys of both kinds, signs and verifies data and a message with each, restarts the wallet, lists again. */
export async function useWallet(context: DemoContext): Promise<string> {
  const before = await list(context);
  for (const [kind, type] of KINDS) {
    const address = await newKey(context, kind);
    await signData(context, address, type);
    await signMessage(context, address, type);
  }
  const held = await list(context);
  assert(held.length === before.length + KINDS.length, 'the wallet does not list the new keys');
  const wallet = context.network.process('wallet');
  await wallet.stop();
  await wallet.start();
  assert((await list(context)).join() === held.join(), 'the wallet lists other keys after its restart');
  return `new secp256k1 and BLS12-381 keys in the wallet signed data and messages that verify; restarted, it holds the same ${held.length} keys`;
}

function list(context: DemoContext): Promise<string[]> {
  return callRpc(context.walletUrl, 'Coin.WalletList', []) as Promise<string[]>;
}

/** As a user does it: on the command line, next to the running service. */
async function newKey(context: DemoContext, kind: string): Promise<string> {
  const { command, args, environment } = context.network.process('wallet').command(['new', kind]);
  const { stdout } = await promisify(execFile)(command, [...args], {
    env: { ...process.env, ...environment },
  });
  return stdout.trim();
}

async function signData(context: DemoContext, address: string, type: number): Promise<void> {
  const url = context.walletUrl;
  const signature = (await callRpc(url, 'Coin.WalletSign', [address, DATA])) as Signature;
  assert(signature.Type === type, `the wallet signed with type ${signature.Type}, not ${type}`);
  assert(
    (await callRpc(url, 'Coin.WalletVerify', [address, DATA, signature])) === true,
    'a signature does not verify',
  );
  const other = Buffer.from('something else').toString('base64');
  assert(
    (await callRpc(url, 'Coin.WalletVerify', [address, other, signature])) === false,
    'a signature verifies for other data',
  );
}

async function signMessage(context: DemoContext, address: string, type: number): Promise<void> {
  const message = {
    Version: 0,
    To: address,
    From: address,
    Nonce: 0,
    Value: '1',
    GasLimit: 1_000_000,
    GasFeeCap: '1',
    GasPremium: '1',
    Method: 0,
    Params: '',
  };
  const signed = (await callRpc(context.walletUrl, 'Coin.WalletSignMessage', [address, message])) as {
    readonly Message: unknown;
    readonly Signature: Signature;
  };
  assert(signed.Signature.Type === type, 'a message was signed with another type');
  assert(JSON.stringify(signed.Message) === JSON.stringify(message), 'another message came back');
}
