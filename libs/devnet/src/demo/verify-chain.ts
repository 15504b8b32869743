import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { callRpc } from './call-rpc.js';
import { assert, type DemoContext } from './demo-context.js';

interface Verification {
  readonly verified: boolean;
  readonly blocks: number;
  readonly stateRoot: string;
}

/** Stops the node, executes its whole chain again from the genesis file, and compares the state root with the head's. */
export async function verifyChain(context: DemoContext): Promise<string> {
  await context.node.stop();
  const { command, args, environment } = context.node.verifyCommand;
  const { stdout } = await promisify(execFile)(command, [...args], {
    env: { ...process.env, ...environment },
  });
  const report = JSON.parse(stdout.trim().split('\n').pop() as string) as Verification;
  assert(report.verified, 'the chain does not verify');
  await context.node.start();
  const number = `0x${report.blocks.toString(16)}`;
  const head = (await callRpc(context.nodeUrl, 'eth_getBlockByNumber', [number, false])) as {
    stateRoot: string;
  };
  assert(
    head.stateRoot === report.stateRoot,
    `the head has root ${head.stateRoot}, re-execution ${report.stateRoot}`,
  );
  return `all ${report.blocks} blocks, executed again from the genesis file, give the head's state root ${report.stateRoot.slice(0, 18)}…`;
}
