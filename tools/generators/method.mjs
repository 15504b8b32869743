import { format, resolveConfig } from 'prettier';
import { findMember, insertAfter, propertyText } from './insert-member.mjs';
import { runProgram } from './run-program.mjs';
import { methodTest } from './method-test.mjs';

/**
 * Writes a method without parameters that answers true: its definition, a handler that has no rule yet, and a test that fails until it has
 * one. What the method takes and answers, and its summary, are yours; the documents are made anew then with `npm run docs`.
 *
 * @param tree of Nx
 * @param {{ service: string, name: string, after: string, skipDocs?: boolean }} options
 * @returns what is done once the files are written: the documents, unless they are skipped
 */
export default async function method(tree, { service, name, after, skipDocs = false }) {
  const api = `libs/api/${service}/src`;
  const rpc = `apps/${service}/src/rpc`;
  if (membersBelow(tree, api, name).some(isDefinition)) fail(`${name} is defined in ${api}`);
  const [definition] = membersBelow(tree, api, after).filter(isDefinition);
  if (definition === undefined) fail(`${after} is not defined in ${api}`);
  const [handler] = membersBelow(tree, rpc, after);
  if (handler === undefined) fail(`${after} has no handler in ${rpc}`);
  const key = /^\w+$/.test(name) ? name : `'${name}'`;
  await write(
    tree,
    definition.file,
    insertAfter(definition.text, definition.member, definitionOf(key, definition.member)),
  );
  const rule = `async ${key}() { throw new Error('${name} has no rule yet'); }`;
  await write(tree, handler.file, insertAfter(handler.text, handler.member, rule));
  const test = methodTest({ service, name, folder: testFolder(tree, service, after) });
  if (tree.exists(test.file)) fail(`${test.file} exists`);
  await write(tree, test.file, test.text);
  return () => {
    if (skipDocs) return;
    runProgram(tree.root, 'libs/bundle/transpile.mjs');
    runProgram(tree.root, 'libs/reference/dist/main.js');
  };
}

function fail(message) {
  throw new Error(`method: ${message}`);
}

const isDefinition = ({ member }) => member.initializer?.expression?.getText() === 'defineMethod';

function definitionOf(key, sibling) {
  const copied = ['permission', 'source'].flatMap((property) => {
    const text = propertyText(sibling, property);
    return text === undefined ? [] : `${property}: ${text},`;
  });
  return `${key}: defineMethod({
    summary: 'Whether …',
    params: [],
    result: z.boolean(),
    ${copied.join('\n')}
    examples: [{ summary: 'asks', params: [], result: true }],
  })`;
}

/** Sources below a folder with a member of this name. */
function membersBelow(tree, folder, name) {
  return filesBelow(tree, folder).flatMap((file) => {
    const text = tree.read(file, 'utf-8');
    const member = text.includes(name) ? findMember(text, name) : undefined;
    return member === undefined ? [] : [{ file, text, member }];
  });
}

function filesBelow(tree, folder) {
  return tree.children(folder).flatMap((entry) => {
    const path = `${folder}/${entry}`;
    if (!tree.isFile(path)) return filesBelow(tree, path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });
}

/** Where the tests of the other method are. */
function testFolder(tree, service, after) {
  const folder = `apps/${service}/test/rpc`;
  const folders = tree.children(folder).filter((entry) => !tree.isFile(`${folder}/${entry}`));
  const calls = (entry) =>
    tree
      .children(`${folder}/${entry}`)
      .some(
        (file) =>
          file.endsWith('.rpc.test.ts') &&
          tree.read(`${folder}/${entry}/${file}`, 'utf-8').includes(`'${after}'`),
      );
  const found = folders.find(calls);
  return found === undefined ? folder : `${folder}/${found}`;
}

async function write(tree, file, text) {
  const options = await resolveConfig(`${tree.root}/${file}`);
  tree.write(file, await format(text, { ...options, parser: 'typescript' }));
}
