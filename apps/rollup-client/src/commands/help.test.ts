import { expect, it } from '@jest/globals';
import { runAs } from '../../test/holder-commands.js';
import { commands } from './command-list.js';

it.each(commands.commands)('$name has a help that says what it does', async ({ name, summary }) => {
  const { code, said } = await runAs(`${name} --help`, {});
  expect([code, said.join('\n')]).toEqual([0, expect.stringContaining(summary.slice(0, 30))]);
});
