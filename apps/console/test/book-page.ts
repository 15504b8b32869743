import { Interface } from 'ethers/abi';
import type { Page } from 'playwright-core';
import type { RunningNode } from '../../node/test/running-node.js';
import { artifactOf, compileContract } from './compiled-contract.js';

/** The contract of contracts/Book.sol on a chain. */
export interface DeployedBook {
  /** The compiler's standard output, which readers drop in. */
  readonly output: string;
  readonly coder: Interface;
  readonly address: string;
  /** Hash of the transaction that created it. */
  readonly created: string;
}

/** Sends a transaction of the node's first account, and waits until it is mined. */
export async function sendByNode(node: RunningNode, request: object) {
  const [from] = node.accounts;
  const hash = await node.result<string>('eth_sendTransaction', [{ from, gas: '0x4c4b40', ...request }]);
  return { hash, receipt: await node.mined(hash) };
}

/** @param title - that the contract stores */
export async function deployBook(node: RunningNode, title: string): Promise<DeployedBook> {
  const output = compileContract('Book');
  const { abi, evm } = artifactOf(output);
  const coder = new Interface(abi as never);
  const data = `0x${evm.bytecode.object}${coder.encodeDeploy([title, 5]).slice(2)}`;
  const { hash, receipt } = await sendByNode(node, { data });
  return { output, coder, address: receipt.contractAddress, created: hash };
}

export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Chooses an ABI file of that text. */
export const chooseFile = (page: Page, text: string, name = 'Book.json') =>
  page
    // Sources take one file, ABIs several.
    .locator('input[type=file][multiple]')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

/** On the page of the contract: adds its file, and fills in the form of `write`. */
export async function prepareWrite(
  page: Page,
  { output, address }: DeployedBook,
  { topic, text, coins = '0' }: { readonly topic: string; readonly text: string; readonly coins?: string },
) {
  await chooseFile(page, output);
  const writes = section(page, 'Write');
  await writes.getByRole('textbox', { name: /^topic/ }).fill(topic);
  await writes.getByRole('textbox', { name: /^entry/ }).fill(JSON.stringify([address, '1', text]));
  await writes.getByRole('textbox', { name: /^Coins/ }).fill(coins);
  await writes.getByRole('button', { name: 'Prepare the call' }).click();
  await writes.getByText('Data of the call').waitFor();
  return writes;
}
