import { join } from 'node:path';
import { expect } from '@jest/globals';
import { commands } from '../src/commands/command-list.js';
import { runCommand } from '../src/commands/run-command.js';
import type { LossyLink } from './lossy-link.js';
import type { OperatorOnAnvil } from './operator-on-anvil.js';

/** Runs a command as a person, in this process. */
export async function runAs(
  line: string,
  environment: Readonly<Record<string, string>>,
  { signal, said = [] }: { readonly signal?: AbortSignal; readonly said?: string[] } = {},
) {
  const found = commands.find(line.split(' '));
  if (found === undefined) throw new Error(`unknown command ${line}`);
  const warned: string[] = [];
  const terminal = { say: (text: string) => said.push(text), warn: (text: string) => warned.push(text) };
  const surroundings = {
    terminal,
    environment,
    signal: signal ?? new AbortController().signal,
    version: '1',
  };
  const code = await runCommand(found.command, found.rest, surroundings);
  return { code, said, warned: warned.join('\n') };
}

export interface CommandPlace {
  readonly operator: OperatorOnAnvil;
  readonly link: LossyLink;
  /** Has a key file of each person, and the file with their password. */
  readonly folder: string;
}

/** The commands of persons whose keys are in one folder, who reach one operator over a link. */
export function holderCommands(place: () => CommandPlace) {
  const tetrad = (
    who: string,
    line: string,
    more: Readonly<Record<string, string>> = {},
    options: Parameters<typeof runAs>[2] = {},
  ) => {
    const { operator, link, folder } = place();
    const environment = {
      TETRAD_ROLLUP_CLIENT_CHAIN_URL: operator.chain.url,
      TETRAD_ROLLUP_CLIENT_CONTRACT: operator.contract,
      TETRAD_ROLLUP_CLIENT_OPERATOR_URL: link.url,
      TETRAD_ROLLUP_CLIENT_KEY_FILE: join(folder, who),
      TETRAD_ROLLUP_CLIENT_PASSWORD_FILE: join(folder, 'password'),
      ...more,
    };
    return runAs(line, environment, options);
  };
  const done = async (who: string, line: string) => {
    const ended = await tetrad(who, line);
    expect({ line, code: ended.code, warned: ended.code === 0 ? '' : ended.warned }).toEqual({
      line,
      code: 0,
      warned: '',
    });
    return ended.said;
  };
  const records = async (who: string, list: string) =>
    (await done(who, `list ${list} --json`)).map((text) => JSON.parse(text) as Record<string, unknown>);
  return { tetrad, done, records };
}
