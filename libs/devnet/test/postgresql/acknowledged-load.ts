import { callRpc, type Network } from '@tetrad/devnet';
import { presign } from '@tetrad/testkit';
import { bytesFromHex, hexFromBytes, parseAddress } from '@tetrad/types';
import { Wallet, keccak256 } from 'ethers';
import { signPrivately } from '../../src/demo/send-privately.js';

/** Init code of a contract of one byte, STOP. */
const TINY_CONTRACT = '0x6001600c60003960016000f300';

const RECIPIENT = parseAddress(`0x${'7e'.repeat(20)}`);
const RETRY_MS = 50;

/** A kind of request, sent again and again; each answer is a hash that the service has promised to keep. */
export class AcknowledgedLoad {
  readonly hashes: string[] = [];
  private stopped = false;
  private running: Promise<void> | undefined;

  /** @param send - sends the request with the index, which is sent again when it fails, and gives the hash */
  constructor(
    readonly name: string,
    private readonly send: (index: number) => Promise<string>,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let index = 0; !this.stopped;) {
      try {
        this.hashes.push(await this.send(index));
        index += 1;
      } catch {
        await new Promise((tick) => setTimeout(tick, RETRY_MS));
      }
    }
  }
}

/** Public transactions at the first node, of an account whose nonces only this load uses. */
export function publicLoad({ endpoints }: Network): AcknowledgedLoad {
  const rpc = endpoints.nodes[0]?.rpc ?? '';
  const key = bytesFromHex(endpoints.funded[0]?.privateKey ?? '');
  const chainId = BigInt(endpoints.chainId);
  const rest = { gasLimit: 21_000, gasPrice: 0n, to: RECIPIENT, value: 1n, data: new Uint8Array() };
  return new AcknowledgedLoad('transactions at the node', (nonce) =>
    sendRaw(rpc, hexFromBytes(presign({ chainId, nonce, ...rest }, key))),
  );
}

/** Transactions that the signer numbers; one whose answer was lost is another one when it is sent again. */
export function signerLoad({ endpoints: { signer } }: Network): AcknowledgedLoad {
  const fields = { to: RECIPIENT, value: '0x1', gas: '0x5208', gasPrice: '0x0' };
  return new AcknowledgedLoad('transactions at the signer', async () => {
    const hash = await callRpc(signer?.rpc ?? '', 'eth_sendTransaction', [
      { from: signer?.address, ...fields },
    ]);
    return hash as string;
  });
}

/** Private contracts, from the first node to the second through their managers. */
export function privateLoad({ endpoints }: Network): AcknowledgedLoad {
  const [through, other] = endpoints.nodes;
  const wallet = new Wallet(endpoints.funded[1]?.privateKey ?? '');
  if (through === undefined || other === undefined) throw new Error('the network has fewer than two nodes');
  let signed: { readonly nonce: number; readonly raw: string } | undefined;
  return new AcknowledgedLoad('private transactions', async (nonce) => {
    // The managers encrypt anew each time, so that a repeated payload would make another transaction.
    if (signed?.nonce !== nonce) {
      const request = { wallet, through, nonce, privateFor: [other.ptmKey], data: TINY_CONTRACT };
      signed = { nonce, raw: (await signPrivately(request)).raw };
    }
    return sendRaw(through.rpc, signed.raw);
  });
}

/** A transaction that was stored although its answer was lost is known when it is sent again. */
async function sendRaw(rpc: string, raw: string): Promise<string> {
  const hash = keccak256(raw);
  await callRpc(rpc, 'eth_sendRawTransaction', [raw]).catch((error: Error) => {
    if (!/already known|nonce too low/.test(error.message)) throw error;
  });
  return hash;
}
