import { Wallet as Signer, type TransactionRequest } from 'ethers';
import type { Page } from 'playwright-core';

/** A wallet that an extension would announce, and what it does: for tests alone. It signs with a real key. */
export interface PageWallet {
  readonly uuid: string;
  readonly name: string;
  readonly icon: string;
  readonly answer: (request: WalletRequest) => unknown;
}

export interface WalletRequest {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** An error of EIP-1193, which the wallet throws in the page. */
export class WalletError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const SCRIPT = `for (const { uuid, name, icon } of WALLETS) {
  const provider = {
    async request({ method, params }) {
      const { result, error } = await answerOfWallet(uuid, JSON.stringify({ method, params }));
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
  };
  const info = { uuid, name, icon, rdns: 'io.example.' + uuid };
  const announce = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
}`;

/**
 * Announces wallets in a page that is opened afterwards.
 * @returns what they were asked, with the wallet
 */
export async function announceWallets(page: Page, wallets: readonly PageWallet[]): Promise<WalletRequest[]> {
  const asked: WalletRequest[] = [];
  await page.exposeFunction('answerOfWallet', async (uuid: string, text: string) => {
    const request = JSON.parse(text) as WalletRequest;
    asked.push(request);
    try {
      return { result: await wallets.find((one) => one.uuid === uuid)?.answer(request) };
    } catch (error) {
      const { code, message } = error as WalletError;
      return { error: { code, message } };
    }
  });
  const shown = wallets.map(({ uuid, name, icon }) => ({ uuid, name, icon }));
  await page.addInitScript(SCRIPT.replace('WALLETS', JSON.stringify(shown)));
  return asked;
}

type CallNode = <T>(method: string, params?: readonly unknown[]) => Promise<T>;

/**
 * Signs a request of a page with a key, and sends it to a node, as wallets do.
 * @returns the hash
 */
export async function signAndSend(
  call: CallNode,
  privateKey: string,
  { params: [transaction] = [] }: WalletRequest,
): Promise<string> {
  const signer = new Signer(privateKey);
  const { to, data, value, chainId } = transaction as Required<TransactionRequest>;
  const nonce = Number(await call<string>('eth_getTransactionCount', [signer.address, 'pending']));
  const raw = await signer.signTransaction({
    to,
    data,
    value,
    chainId: BigInt(chainId as string),
    nonce,
    gasLimit: 500_000n,
    gasPrice: BigInt(await call<string>('eth_gasPrice')),
    type: 0,
  });
  return call('eth_sendRawTransaction', [raw]);
}
