import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow } from './files-below.js';

const root = join(import.meta.dirname, '../..');
const SPECIFIER = /(?:\bfrom|\bimport\()\s*'([^']+)'/g;

const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(SPECIFIER)].map(([, specifier = '']) => specifier);

describe('the folders of the node', () => {
  const source = join(root, 'apps/node/src');
  /** Each imports those before it only; the files at the root of the app, which compose it, import all. */
  const FLOORS = [
    'options',
    'open',
    'tracing',
    'ordering',
    'permissions',
    'peers',
    'privacy',
    'joining',
    'rpc',
    'commands',
  ];
  const folderOf = (path: string) => {
    const [folder = '', file] = relative(source, path).split('/');
    return file === undefined ? undefined : folder;
  };
  const files = filesBelow(source, '.ts');

  it('are those that are ordered here', () => {
    const folders = new Set(files.map(folderOf).filter((folder) => folder !== undefined));
    expect([...folders].sort()).toEqual([...FLOORS].sort());
  });

  it('import only folders below them', () => {
    const arrowsUp = files.flatMap((file) => {
      const folder = folderOf(file);
      if (folder === undefined) return [];
      return importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => folderOf(join(dirname(file), specifier)))
        .filter((imported) => imported === undefined || FLOORS.indexOf(imported) > FLOORS.indexOf(folder))
        .map((imported) => `${relative(source, file)} imports ${imported ?? 'the root of the app'}`);
    });
    expect(arrowsUp).toEqual([]);
  });
});

describe('the rooms of the libraries of the node', () => {
  const rooms = ['chain', 'permissions', 'privacy'];
  /** Packages of the chain that send and execute for clients, in private state too. */
  const OVER_BOTH_STATES = ['@tetrad/node-simulation', '@tetrad/node-transactions'];

  const packages = rooms.flatMap((room) =>
    filesBelow(join(root, 'libs/node', room), 'package.json').map((file) => {
      const { name, dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
        name: string;
        dependencies?: Record<string, string>;
      };
      return { room, name, dependencies: Object.keys(dependencies) };
    }),
  );
  const roomOf = (name: string) => packages.find((one) => one.name === name)?.room;

  it('keep permissions and private state apart, and the chain apart from both', () => {
    expect(packages.length).toBeGreaterThan(15);
    const arrows = packages
      .filter(({ name }) => !OVER_BOTH_STATES.includes(name))
      .flatMap(({ room, name, dependencies }) =>
        dependencies
          .filter((imported) => ![undefined, room, 'chain'].includes(roomOf(imported)))
          .map((imported) => `${name} imports ${imported}`),
      );
    expect(arrows).toEqual([]);
  });

  it('let no package of the chain import permissions', () => {
    const arrows = packages
      .filter(({ room }) => room === 'chain')
      .filter(({ dependencies }) => dependencies.some((imported) => roomOf(imported) === 'permissions'));
    expect(arrows.map(({ name }) => name)).toEqual([]);
  });
});
