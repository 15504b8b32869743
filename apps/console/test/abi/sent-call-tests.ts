import type { Page } from 'playwright-core';
import { until } from '@tetrad/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningNode } from '../../../node/test/running-node.js';
import { ACCOUNT, startSigner } from '../../../signer/test/running-signer.js';
import { deployBook, prepareWrite, sendByNode, type DeployedBook } from '../book-page.js';
import { barriers, record, type TestBrowser } from '../browser.js';
import { WalletError, announceWallets, signAndSend, type PageWallet } from '../page-wallets.js';
import { startConsole, type RunningConsole } from '../running-console.js';
import { startWritingConsole, type WritingConsole } from '../writing-console.js';

const SCRIPT = '<img src=x onerror=alert(1)>"><script>alert(2)</script>';
const TEXT = SCRIPT.slice(0, 30);
const SVG = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(4)"><script>alert(5)</script><rect width="9" height="9"/></svg>')}`;

let signer: Awaited<ReturnType<typeof startSigner>>;
/** For readers with tokens. */
let console: WritingConsole;
/** For all on this host. */
let open: RunningConsole;
let book: DeployedBook;
/** Hash of a transaction of another account. */
let mined: string;

/** On a contract of its own, by a signer and by wallets of the browser. */
export function testSentCalls(running: () => RunningNode, browser: TestBrowser): void {
  beforeAll(async () => {
    const node = running();
    signer = await startSigner({ downstreamPort: Number(new URL(node.url).port) });
    mined = (await sendByNode(node, { to: ACCOUNT, value: '0xde0b6b3a7640000' })).hash;
    book = await deployBook(node, 'title');
    open = await startConsole([{ name: 'node0', rpc: node.url }]);
    console = await startWritingConsole([{ name: 'node0', rpc: node.url }], {
      services: { signer: { rpc: signer.url } },
      kinds: ['signer'],
    });
  });
  afterAll(async () => {
    await open?.stop();
    await console?.stop();
    await signer?.stop();
  });

  /** The contract's page with a call that is ready, for a reader with these permissions. */
  async function prepared(permissions: readonly string[], text: string) {
    const { page, faults } = await browser.open(`${console.url}/accounts/${book.address}`);
    await page.getByLabel('Token').fill(await console.tokenFor(...permissions));
    await page.keyboard.press('Enter');
    const writes = await prepareWrite(page, book, { topic: 'by the signer', text, coins: '0.5' });
    await writes.getByText('No wallet of this browser announces itself.').waitFor();
    return { page, faults, writes };
  }

  describe('a call by the signer', () => {
    it('is not offered to readers whose token does not name it', async () => {
      const { faults, writes } = await prepared(['*', 'eth_*'], TEXT);
      expect(await writes.getByText('Send it by the signer').count()).toBe(0);
      expect(faults).toEqual([]);
    });

    it('is confirmed with the very request, sent once, and compared with what is mined', async () => {
      const { page, faults, writes } = await prepared(['*', 'eth_sendTransaction'], TEXT);
      const gas = writes.getByLabel('Gas limit');
      await until(async () => /^[0-9]+$/.test(await gas.inputValue()));
      const estimated = await gas.inputValue();
      await gas.fill('many');
      await writes.getByRole('button', { name: 'Look at the call and send it' }).click();
      await writes.getByText('Enter the gas limit as a number.').waitFor();
      await gas.fill(estimated);
      await writes.getByRole('button', { name: 'Look at the call and send it' }).click();
      const dialog = page.getByRole('dialog', { name: 'Call write' });
      await dialog.getByText('0 at first, 0 now').waitFor();
      await dialog.getByText(TEXT).first().waitFor();
      expect(await barriers(page)).toEqual([]);
      const sent = page.waitForRequest(/\/api\/signer\/write$/);
      const shown = await dialog.getByRole('region', { name: 'Request, as it is sent' }).textContent();
      await dialog.getByRole('button', { name: 'Send it' }).click();
      expect((await sent).postData()).toBe(shown);
      await dialog.getByText(/succeeded in block/).waitFor();
      await dialog.getByText('0 at first, 1 now').waitFor();
      const request = JSON.parse(shown ?? '') as { params: { gas: string }[] };
      expect(request).toMatchObject({ chainId: 1337, service: 'signer', method: 'eth_sendTransaction' });
      const data = book.coder.encodeFunctionData('write', ['by the signer', [book.address, 1, TEXT]]);
      expect(request.params).toEqual([
        {
          from: ACCOUNT,
          to: book.address,
          data,
          value: '0x6f05b59d3b20000',
          gas: `0x${Number(estimated).toString(16)}`,
        },
      ]);
      expect(await running().result('eth_getBalance', [book.address, 'latest'])).toBe('0x6f05b59d3b20000');
      expect(faults).toEqual([]);
    });

    it('that would fail is said before it is sent', async () => {
      const { faults, writes } = await prepared(['*', 'eth_sendTransaction'], 'x'.repeat(41));
      await writes.getByText('The node gives no estimate of gas: execution reverted').waitFor();
      await writes.getByLabel('Sender of the trial').fill(ACCOUNT);
      await writes.getByRole('button', { name: 'Try it without sending' }).click();
      await writes.getByText('TooLong(uint256 length, string text)').waitFor();
      expect(faults).toEqual([]);
    });
  });

  describe('a wallet of the browser', () => {
    const chain = { eth_chainId: '0x539' as unknown };
    let doing: (method: string, sending: () => Promise<string>) => unknown = (_, sending) => sending();
    const owner = () => running().owners[0] ?? { address: '', privateKey: new Uint8Array() };

    const real = (): PageWallet => ({
      uuid: 'real',
      name: `Real ${SCRIPT}`,
      icon: SVG,
      answer: (request) => {
        if (request.method === 'eth_chainId') return chain.eth_chainId;
        if (request.method === 'eth_requestAccounts') return [owner().address];
        const key = `0x${Buffer.from(owner().privateKey).toString('hex')}`;
        return doing(request.method, () => signAndSend((...call) => running().result(...call), key, request));
      },
    });
    const other: PageWallet = {
      uuid: 'other',
      name: 'Other',
      icon: 'https://evil.example/x.png',
      answer: () => {
        throw new WalletError(4001, SCRIPT);
      },
    };

    async function visitWithWallets() {
      const { page, faults } = await browser.openAnew('about:blank');
      const asked = await announceWallets(page, [
        real(),
        other,
        { ...other, uuid: 'real', name: 'Impostor' },
      ]);
      await page.goto(`${open.url}/accounts/${book.address}`);
      const writes = await prepareWrite(page, book, { topic: 'by a wallet', text: TEXT });
      return { page, faults, asked, writes };
    }

    const look = async (page: Page) => {
      await page.getByRole('button', { name: 'Look at the call and send it' }).click();
      return page.getByRole('dialog', { name: 'Call write' });
    };

    it('is chosen among several, asked on the right chain, and sends the call that was confirmed', async () => {
      const { page, faults, asked, writes } = await visitWithWallets();
      await writes.getByRole('button', { name: 'Use Other' }).waitFor();
      expect(await writes.getByText('Impostor').count()).toBe(0);
      expect(await writes.locator('img').count()).toBe(1);
      await writes.getByRole('button', { name: `Use Real ${SCRIPT}`.slice(0, 30) }).click();
      chain.eth_chainId = '0x1';
      await writes.getByRole('button', { name: 'Ask it for its accounts' }).click();
      await writes.getByText('The wallet is on chain 1, and the network is chain 1337.').waitFor();
      chain.eth_chainId = '0x539';
      await writes.getByRole('button', { name: 'Compare again' }).click();
      const dialog = await look(page);
      await dialog.getByText(TEXT).first().waitFor();
      await dialog.getByText('"method": "eth_sendTransaction"').waitFor();
      await dialog.getByText('the wallet Real').waitFor();
      expect(await barriers(page)).toEqual([]);
      await record(page, 'confirm');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(asked.map(({ method }) => method)).not.toContain('eth_sendTransaction');
      await (await look(page)).getByRole('button', { name: 'Send it' }).click();
      await dialog.getByText(/succeeded in block/).waitFor();
      await dialog.getByText('0 at first, 1 now').waitFor();
      const [request, ...again] = asked.filter(({ method }) => method === 'eth_sendTransaction');
      expect(again).toEqual([]);
      const data = book.coder.encodeFunctionData('write', ['by a wallet', [book.address, 1, TEXT]]);
      expect(request?.params).toEqual([
        { from: owner().address, to: book.address, data, value: '0x0', chainId: '0x539' },
      ]);
      expect(faults).toEqual([]);
    });

    it('that refuses, fails, switches the chain or sends something else is said', async () => {
      const { page, faults, asked, writes } = await visitWithWallets();
      await writes.getByRole('button', { name: 'Use Other' }).click();
      await writes.getByRole('button', { name: 'Ask it for its accounts' }).click();
      await writes.getByText(`The wallet refuses: ${SCRIPT}`).waitFor();
      await writes.getByRole('button', { name: `Use Real ${SCRIPT}`.slice(0, 30) }).click();
      await writes.getByRole('button', { name: 'Ask it for its accounts' }).click();
      /** What the dialog says in the end. */
      const sendAndRead = async (said: string | RegExp) => {
        const dialog = await look(page);
        await dialog.getByRole('button', { name: 'Send it' }).click();
        await dialog.getByText(said).waitFor();
        return dialog;
      };
      const close = () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      const fails = (code: number) => {
        doing = () => {
          throw new WalletError(code, SCRIPT);
        };
      };
      fails(4001);
      await sendAndRead(`Not sent: ${SCRIPT}`);
      await close();
      fails(-32603);
      await sendAndRead(`It is not known whether this takes effect: ${SCRIPT}`);
      await close();
      chain.eth_chainId = '0x2';
      const before = asked.filter(({ method }) => method === 'eth_sendTransaction').length;
      await sendAndRead('Not sent: the wallet is on chain 2');
      await close();
      expect(asked.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(before);
      chain.eth_chainId = '0x539';
      doing = () => mined;
      await sendAndRead('is another call than the one that you confirmed: it differs in its sender');
      await close();
      doing = () => new Promise(() => undefined);
      const dialog = await sendAndRead('The wallet is asked: answer there.');
      await dialog.getByRole('button', { name: 'Stop waiting' }).click();
      await dialog
        .getByText('It is not known whether this takes effect: the wallet has not answered')
        .waitFor();
      await close();
      expect(await writes.locator('img:not([src^="data:image/svg"]), script').count()).toBe(0);
      expect(faults).toEqual([]);
    });
  });
}
