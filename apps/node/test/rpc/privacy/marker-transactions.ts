import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256, signDigest } from '@tetrad/crypto';
import { compile } from '@tetrad/compilers';
import { privateEnvelopeOf, signTransaction } from '@tetrad/transactions';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { Interface } from 'ethers/abi';
import { storeRaw, type PrivacyNetwork, type TestManager } from '../../privacy-network.js';
import { CHAIN_ID, type RunningNode } from '../../running-node.js';
import { MARKER } from './marker-text.js';
import { signRestricted } from './restricted-transaction.js';

const EXTERNAL = Buffer.alloc(32, 0x61);
const GAS = '0x2dc6c0';
const PRECOMPILE = `0x${'00'.repeat(19)}7a`;

const source = readFileSync(join(import.meta.dirname, 'Keeper.sol'), 'utf8');
const { abi, bytecode } = compile({ 'Keeper.sol': { content: source } }, 'istanbul').get('Keeper')!;
export const keeper = new Interface(JSON.stringify(abi));
const MARKER_BYTES = Buffer.from(MARKER);
const CREATION = bytecode + keeper.encodeDeploy([MARKER_BYTES]).slice(2);
const KEEP = keeper.encodeFunctionData('keep', [MARKER_BYTES]);
const FAIL = keeper.encodeFunctionData('fail', [MARKER]);

/**
 * Sends the marker to the first two nodes, by one transaction of each way on which a payload comes into the network.
 * @param own - account of the first node
 * @returns hashes; all are mined but the last, which stays in the pool
 */
export async function sendMarkerOfEachKind(
  { nodes, managers }: PrivacyNetwork,
  own: string,
): Promise<string[]> {
  const sender = nodes[0] as RunningNode;
  const [A, B] = managers.map(({ key }) => key) as [string, string];
  const hashes: string[] = [];
  const mined = async (hash: string) => {
    hashes.push(hash);
    return (await Promise.all(nodes.map((node) => node.mined(hash))))[0]!;
  };
  const send = async (request: object) =>
    mined(
      await sender.result<string>('eth_sendTransaction', [
        { from: own, gas: GAS, privateFor: [B], ...request },
      ]),
    );
  const { contractAddress: to } = await send({ data: CREATION });
  await send({ to, input: KEEP });
  await send({ to, data: FAIL });
  const { contractAddress: validated } = await send({ data: CREATION, privacyFlag: 3 });
  await send({ to: validated, input: KEEP, data: KEEP, privacyFlag: 3 });
  const first = await signStored(managers[0]!, 0n);
  await mined(await sender.result<string>('eth_sendRawPrivateTransaction', [first, { privateFor: [B] }]));
  await mined(await submitMarker(await signStored(managers[0]!, 1n), { sender, nonce: 1n, to: B }));
  const restricted = signRestricted(
    { nonce: 0n, chainId: BigInt(CHAIN_ID), data: bytesFromHex(CREATION), privateFrom: A, recipients: [B] },
    EXTERNAL,
  );
  await mined(await sender.result<string>('eea_sendRawTransaction', [restricted]));
  // One that stays in the pool.
  const waiting = { from: own, to, data: KEEP, gas: GAS, nonce: '0x64', privateFor: [B] };
  hashes.push(await sender.result<string>('eth_sendTransaction', [waiting]));
  return hashes;
}

/** A creation that is signed elsewhere, over a payload that the manager keeps. */
async function signStored(manager: TestManager, nonce: bigint): Promise<string> {
  const data = await storeRaw(manager, CREATION);
  const envelope = privateEnvelopeOf({ nonce, gasPrice: 0n, gasLimit: BigInt(GAS), value: 0n, data });
  return hexFromBytes(envelope.raw(signDigest(keccak256(envelope.preimage()), EXTERNAL)));
}

async function submitMarker(
  inner: string,
  { sender, nonce, to }: { readonly sender: RunningNode; readonly nonce: bigint; readonly to: string },
): Promise<string> {
  const carried = await sender.result<string>('eth_distributePrivateTransaction', [
    inner,
    { privateFor: [to] },
  ]);
  const marker = {
    chainId: BigInt(CHAIN_ID),
    nonce,
    gasLimit: 30_000n,
    to: parseAddress(PRECOMPILE),
    value: 0n,
    data: bytesFromHex(carried),
    fees: { type: 'legacy', gasPrice: 0n } as const,
  };
  return sender.result<string>('eth_sendRawTransaction', [hexFromBytes(signTransaction(marker, EXTERNAL))]);
}
